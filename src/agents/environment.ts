// What an agent may know of our environment: a list of what is allowed (S6.6, "Security" of the
// design). Ours holds tokens of other programs, and every tool an agent starts can read its own.
import { Fault } from "../core/errors.ts";
import { msg } from "../core/messages.ts";
import { homeName, proofName, tagName } from "./names.ts";

export interface AgentPlace {
  readonly run: string;
  readonly home: string;
  /** The project's root (S7.5): an agent's own calls of Holdfast find the same project. */
  readonly root: string;
  /** With it the run speaks for itself and for nobody else; a check or a set-up has none. */
  readonly proof?: string | undefined;
}

/**
 * The whole environment of an agent: the allowed of ours, those that the settings name (`also`),
 * and the given values (dependencies, secrets), which win. Nobody takes our own names.
 */
export function agentEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  place: AgentPlace,
  extra: Readonly<Record<string, string>> = {},
  also: readonly string[] = [],
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(own))
    if (value !== undefined && (isAllowed(name) || also.includes(name))) result[name] = value;
  for (const [name, value] of Object.entries(extra)) result[checked(name, value)] = value;
  result[tagName] = place.run;
  result[homeName] = place.home;
  result["HOLDFAST_ROOT"] = place.root;
  delete result[proofName];
  if (place.proof !== undefined) result[proofName] = place.proof;
  return result;
}

// --- internal ---

const allowed: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "LANG",
  "TERM",
  "TZ",
  "SHELL",
  "USER",
  "LOGNAME",
  "TMPDIR",
  // Without these nothing is reached from behind a proxy or a company's own authority.
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
]);

function isAllowed(name: string): boolean {
  return allowed.has(name) || name.startsWith("LC_") || name.startsWith("XDG_");
}

/** What a program's environment can not hold is refused by name; the value may be a secret. */
function checked(name: string, value: string): string {
  if (/^[^=\0]+$/.test(name) && !value.includes("\0")) return name;
  throw new Fault("invalid_input", msg("run.bad_variable", { name: JSON.stringify(name) }), {
    hint: msg("run.bad_variable.hint"),
  });
}
