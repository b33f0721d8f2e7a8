// A look at the project's documents as they lie there: no lock, no database, nothing written.
import { resolve } from "node:path";
import { type Code, Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import type { Finding } from "../../formats/format.ts";
import type { Documents, FormatName } from "../../formats/registry.ts";
import type { RequestState } from "../../formats/request-state.ts";
import type { ListedTask } from "../../formats/task-list.ts";
import { realDisk } from "../../store/disk.ts";

/** A file that could not be read; what else there is, is shown all the same. */
export interface Problem {
  readonly path: string;
  readonly code: Code;
  /** Names the file, so that it can stand alone. */
  readonly message: Message;
  readonly hint?: Message;
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
  /** The plan that orchestrate works through (S2.4), with where it lies. */
  plan(): Promise<{ readonly path: string; readonly tasks: readonly ListedTask[] } | undefined>;
  readonly problems: readonly Problem[];
}

export function lookAround(root: string): Looked {
  const problems: Problem[] = [];
  // Told once, however often it is looked at.
  const add = (problem: Problem): void => {
    if (!problems.some(({ path }) => path === problem.path)) problems.push(problem);
  };
  /** What may not be read is one problem more; what is not there is none. */
  const looking = async <T>(path: string, look: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await look();
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      if (thrown.code !== "not_found") add(problemOf(path, thrown));
      return undefined;
    }
  };
  const at = <N extends FormatName>(path: string, format: N): Promise<Documents[N] | undefined> =>
    looking(path, async () => {
      const file = resolve(root, path);
      // Most are not there, and then nothing is loaded for them.
      if (realDisk.stamp(file) === null) return undefined;
      const { loadCodec } = await import("../../formats/codec.ts");
      const codec = await loadCodec(format);
      const bytes = realDisk.read(file, codec.format.maxBytes);
      if (bytes === null) return undefined;
      const read = codec.read(bytes);
      if (read.ok) return read.value;
      add(unfit(path, read.findings[0], read.otherVersion === true));
      return undefined;
    });
  return {
    at,
    problems,
    sessions: async () => {
      const paths = await looking(sessionsFolder, async () => {
        if (realDisk.stamp(resolve(root, sessionsFolder)) === null) return [];
        const { findDocuments } = await import("../../store/files.ts");
        return findDocuments(root, "", [sessionsFolder]);
      });
      return sessionsAmong(paths ?? [], at);
    },
    plan: async () => {
      // Only here: status does not ask for it, and is to be cheap.
      const { maxTaskListBytes, parseTaskList } = await import("../../formats/task-list.ts");
      const { taskListPaths } = await import("../../formats/task-list-paths.ts");
      const settings = await at("holdfast.yaml", "project-settings");
      const named = settings?.orchestrate?.tasks;
      for (const path of named === undefined ? taskListPaths : [named]) {
        const bytes = await looking(path, async () =>
          realDisk.read(resolve(root, path), maxTaskListBytes),
        );
        if (bytes) return { path, tasks: parseTaskList(new TextDecoder().decode(bytes)).tasks };
      }
      return undefined;
    },
  };
}

// --- internal ---

const sessionsFolder = ".claude/orchestrator/sessions";

function problemOf(path: string, { code, text, hint }: Fault): Problem {
  return { path, code, message: text, ...(hint ? { hint } : {}) };
}

/** It reads, and is not what it should be. */
function unfit(path: string, finding: Finding | undefined, otherVersion: boolean): Problem {
  const { pointer, text } = finding ?? { pointer: "", text: msg("format.expected.anything") };
  const problem = pointer === "" ? text : msg("status.at", { pointer, problem: text });
  const message = msg("status.in_file", { path, problem });
  // Not damaged, only another program's or ahead of us; the sentence says what to do.
  if (otherVersion) return { path, code: "refused", message };
  return { path, code: "corrupt", message, hint: msg("status.unreadable.hint", { path }) };
}

async function sessionsAmong(paths: readonly string[], at: Looked["at"]): Promise<Session[]> {
  const states = paths.filter((path) => path.endsWith("/state.json"));
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
