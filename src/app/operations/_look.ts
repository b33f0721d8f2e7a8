// A look at the project's documents as they lie there: no lock, no database, nothing written.
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { loadCodec } from "../../formats/codec.ts";
import { type Documents, type FormatName, formatOfPath, formats } from "../../formats/registry.ts";
import type { RequestState } from "../../formats/request-state.ts";
import { findDocuments, readRegularFile, resolvePath } from "../../store/files.ts";

/** A file that could not be read; what else there is, is shown all the same. */
export interface Problem {
  readonly path: string;
  readonly message: Message;
}

export interface Session {
  readonly path: string;
  readonly state: RequestState;
  /** From session.json beside it; "" where that is missing. */
  readonly updatedAt: string;
}

export interface Looked {
  /** The document, or undefined: not there, or among the problems. */
  at<N extends FormatName>(path: string, format: N): Promise<Documents[N] | undefined>;
  /** The request's sessions, the one that counts first: active, then newest (S4.8). */
  sessions(): Promise<Session[]>;
  readonly problems: readonly Problem[];
}

export function lookAround(root: string): Looked {
  const problems: Problem[] = [];
  const at = async <N extends FormatName>(
    path: string,
    format: N,
  ): Promise<Documents[N] | undefined> => {
    try {
      const bytes = await readRegularFile(resolvePath(root, path), formats[format].maxBytes);
      const read = (await loadCodec(format)).read(bytes);
      if (read.ok) return read.value;
      const [{ pointer, text } = { pointer: "", text: msg("format.expected.anything") }] =
        read.findings;
      const message = pointer === "" ? text : msg("status.at", { pointer, problem: text });
      problems.push({ path, message });
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      if (thrown.code !== "not_found") problems.push({ path, message: thrown.text });
    }
    return undefined;
  };
  return { at, problems, sessions: () => sessionsIn(root, at) };
}

// --- internal ---

async function sessionsIn(root: string, at: Looked["at"]): Promise<Session[]> {
  const folder = ".claude/orchestrator/sessions";
  const paths = await findDocuments(root);
  const states = paths.filter(
    (path) => path.startsWith(`${folder}/`) && formatOfPath(path) === "request-state",
  );
  const sessions: Session[] = [];
  for (const path of states) {
    const state = await at(path, "request-state");
    const session = await at(path.replace(/state\.json$/, "session.json"), "request-session");
    if (state) sessions.push({ path, state, updatedAt: session?.updated_at ?? "" });
  }
  const rank = ({ state }: Session): number => (state.request.status === "active" ? 0 : 1);
  return sessions.toSorted(
    (one, other) => rank(one) - rank(other) || time(other.updatedAt) - time(one.updatedAt),
  );
}

/** Times may have an offset or none (S0.1): compared as instants, an unknown one last. */
function time(text: string): number {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at;
}
