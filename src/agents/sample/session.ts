// Where the agent is, kept in a file of its own: a process started with the same session goes on
// there, as a real agent does.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Language, msg } from "../../core/messages.ts";
import type { Framed } from "../adapters/frames.ts";

export interface Session {
  readonly version: 1;
  /** Of its own sentences. */
  readonly language: Language;
  /** The script it was started with. Null: it makes one from each prompt. */
  readonly given: string | null;
  /** The script being played. Null: no prompt has come yet. */
  plan: string | null;
  /** The next instruction of it. */
  at: number;
  /** Counters of the loops it is in, from the outermost. */
  loops: number[];
  /** Bytes of that instruction's output that are out already. */
  cut: number;
  /** A newline is due before the rest of it. */
  lead: 0 | 1;
  /** When a limit is over. */
  until: number | null;
  /** The phase of the last prompt. */
  phase: number;
  prompt: string;
  answer: string;
  feedback: string;
  /** Ids of all messages that ever came. */
  readonly seen: string[];
  /** Those not acted on yet. */
  readonly inbox: Framed[];
  /** The file our output goes to, and its size when this was written. */
  output: { readonly path: string | null; readonly size: number };
}

export function newSession(language: Language, given: string | null): Session {
  return {
    version: 1,
    language,
    given,
    plan: null,
    at: 0,
    loops: [],
    cut: 0,
    lead: 0,
    until: null,
    phase: 0,
    prompt: "",
    answer: "",
    feedback: "",
    seen: [],
    inbox: [],
    output: { path: null, size: 0 },
  };
}

export interface SessionFile {
  load(): Session | null;
  save(session: Session): void;
}

/**
 * Replaced by a rename, so that a kill leaves the old or the new one. Not synced: the guarantee is
 * for a process that dies; a power cut takes the output's last bytes too.
 */
export function sessionFile(home: string, id: string): SessionFile {
  if (!/^\w[\w.-]{0,199}$/.test(id))
    throw new Fault("invalid_input", msg("sample.bad_session", { id }));
  const path = join(home, `${id}.json`);
  return {
    load() {
      let text: string;
      try {
        text = readFileSync(path, "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
        throw error;
      }
      return readSession(text, path);
    },
    save(session) {
      mkdirSync(home, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.next`, JSON.stringify(session), { mode: 0o600 });
      renameSync(`${path}.next`, path);
    },
  };
}

// --- internal ---

function readSession(text: string, path: string): Session {
  try {
    const session = JSON.parse(text) as Partial<Session> | null;
    if (session?.version === 1) return session as Session;
  } catch {
    // Told below.
  }
  throw new Fault("corrupt", msg("sample.broken_session", { path }));
}
