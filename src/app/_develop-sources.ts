// What a develop run is told by files that people and agents write: the project's settings, the
// checkpoints of its design (S0.4), and the words it has of its own for a role.
import { join } from "node:path";
import { type Message, msg } from "../core/messages.ts";
import type { Strategy } from "../core/vocabulary.ts";
import { loadCodec } from "../formats/codec.ts";
import { findingIn } from "../formats/format.ts";
import { formats } from "../formats/registry.ts";
import { realDisk } from "../store/disk.ts";
import type { Environment } from "../store/home.ts";
import { findProgram } from "../agents/programs.ts";
import type { Rules } from "../workflows/develop/events.ts";
import { type Checkpoint, checkpointsOf } from "../workflows/develop/private.ts";
import { type DevelopRole, developRoles } from "../workflows/develop/prompts.ts";
import { readSettings } from "./_settings.ts";

export interface Sources {
  /** Where the checkpoints are defined, from the project's root. */
  readonly path: string;
  readonly strategy: Strategy | null;
  /** Have to pass before anything is merged. */
  readonly commands: readonly string[];
  readonly slots: number;
}

export async function sourcesOf(root: string): Promise<Sources> {
  const path = join(root, formats["project-settings"].path);
  const settings = realDisk.stamp(path) === null ? undefined : await readSettings(path);
  const { develop, commands, slots } = settings ?? {};
  return {
    path: develop?.checkpoints ?? formats["checkpoint-definitions"].path,
    strategy: develop?.strategy ?? null,
    commands: [commands?.test ?? [], commands?.build ?? []].flat(),
    slots: slots ?? usualSlots,
  };
}

/** A team needs Claude Code: the run's own agent, or in a session one with teams switched on (S0.6). */
export function rulesOf(
  { slots }: Sources,
  env: Environment,
  { headless, agent }: { readonly headless: boolean; readonly agent: string | null },
): Rules {
  const teams = headless ? leadsTeams(agent, env) : env[teamSwitch] === "1";
  return { slots, means: { subagents: !headless || slots > 1, teams } };
}

/** Another agent is not started in place of the one that was chosen. */
export function leadsTeams(agent: string | null, env: Environment): boolean {
  return agent === "claude" && findProgram(agent, env) !== undefined;
}

const teamSwitch = "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS";

export type Definitions =
  | { readonly ok: true; readonly checkpoints: readonly Checkpoint[] }
  | { readonly ok: false; readonly problem: Message };

/** The design's file in the project's tree. */
export async function definitionsAt(root: string, path: string): Promise<Definitions> {
  const bytes = realDisk.read(join(root, path), formats["checkpoint-definitions"].maxBytes + 1);
  if (bytes === null) return { ok: false, problem: msg("develop.no_definitions", { path }) };
  return definitionsIn(bytes, path);
}

/** Everything that is wrong with it, each with its place: one more try has to mend it all. */
export async function definitionsIn(bytes: Uint8Array, path: string): Promise<Definitions> {
  const codec = await loadCodec("checkpoint-definitions");
  const read = await codec.inspect(bytes);
  if (read.ok) return { ok: true, checkpoints: checkpointsOf(read.value) };
  const errors = read.findings.filter(({ level }) => level === "error").slice(0, mostFindings);
  const problems = errors.map((finding) => findingIn(path, finding));
  return { ok: false, problem: problems.reduceRight(listed) };
}

/** `.holdfast/prompts/develop/designer.md`: a project's own words for a role. */
export function ownPrompts(root: string): Partial<Record<DevelopRole, string>> {
  const found = developRoles.flatMap((role): [DevelopRole, string][] => {
    const path = join(root, ".holdfast", "prompts", "develop", `${role}.md`);
    const bytes = realDisk.read(path, mostPrompt);
    const text = bytes === null ? "" : Buffer.from(bytes).toString("utf8").trim();
    return text === "" ? [] : [[role, text]];
  });
  return Object.fromEntries(found);
}

// --- internal ---

const usualSlots = 4;
const mostFindings = 20;
const mostPrompt = 64 * 1024;

function listed(rest: Message, first: Message): Message {
  return msg("develop.problems", { first, rest });
}
