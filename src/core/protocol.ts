// What an agent says on its output, as signals: questions, dependencies, errors, completions.
// The grammar for people who write agents is docs/protocol.md.
//
// A push parser over bytes, in any chunking. Pure, and its whole state is one short string: the
// supervisor commits it together with what the signals caused, and after a crash parsing goes
// on at exactly that byte, so that no marker is missed or handled twice.
//
// A signal is a claim, not a fact: plain output can always be made to contain a marker. Where
// that matters, give a token that only this run's agent was told.
import { Fault } from "./errors.ts";
import { msg } from "./messages.ts";
import { type SavedLine, createLineReader } from "./_protocol-lines.ts";
import { type Limits, type Marker, type Signal, defaultLimits } from "./_protocol-signals.ts";
import type { Grammar, State } from "./_protocol-open.ts";
import { endOpen, takeLine } from "./_protocol-state.ts";

export {
  type AgentError,
  type Criterion,
  type DependencyRequest,
  type Limits,
  type Malformed,
  type Marker,
  type PhaseComplete,
  type Said,
  type Signal,
  type TaskComplete,
  type UserQuestion,
  type VerificationResult,
  byPriority,
  questionCategories,
} from "./_protocol-signals.ts";

export interface ProtocolOptions {
  /** Set: only markers that carry it count (`--strict-markers`). Not part of the saved state. */
  readonly token?: string | undefined;
  /** What `save()` returned. */
  readonly resume?: string | undefined;
  readonly limits?: Partial<Limits>;
}

export interface ProtocolParser {
  push(chunk: Uint8Array): Signal[];
  /** The text is over (the stream, or one message of it); another one may follow. */
  end(): Signal[];
  /**
   * The agent fell silent. A completion has no closing tag, and an agent that now waits for an
   * answer would wait for ever: what was written so far is taken as all of it.
   */
  settle(): Signal[];
  save(): string;
  /** Bytes taken so far. */
  readonly offset: number;
  /** Marker-looking lines that lacked the token. */
  readonly ignored: number;
  /** What has begun and is not complete yet. */
  readonly pending: { readonly marker: Marker; readonly start: number } | null;
}

export function createProtocolParser(options: ProtocolOptions = {}): ProtocolParser {
  const { token, resume } = options;
  if (token !== undefined && !/^[\w-]{8,128}$/.test(token))
    throw new Fault("invalid_input", msg("protocol.bad_token"));
  const limits = { ...defaultLimits, ...options.limits };
  const saved = resume === undefined ? undefined : readSaved(resume);
  const state: State = saved?.state ?? { fence: null, open: null, ignored: 0 };
  let signals: Signal[] = [];
  const grammar: Grammar = { state, token, limits, say: (signal) => signals.push(signal) };
  const reader = createLineReader({
    limit: limits.block,
    watch: () => (state.open ? "every" : state.fence),
    take: (line) => takeLine(grammar, line),
    saved: saved?.line,
  });
  const taken = (): Signal[] => {
    const batch = signals;
    signals = [];
    return batch;
  };

  return {
    push(chunk) {
      reader.push(chunk);
      return taken();
    },
    end() {
      reader.end();
      endOpen(grammar);
      state.fence = null;
      return taken();
    },
    settle() {
      const kind = state.open?.body.kind;
      if (kind === "phase" || kind === "task") endOpen(grammar);
      return taken();
    },
    save: () => JSON.stringify({ version: 1, state, line: reader.save() } satisfies Saved),
    get offset() {
      return reader.offset;
    },
    get ignored() {
      return state.ignored;
    },
    get pending() {
      return state.open && { marker: state.open.marker, start: state.open.start };
    },
  };
}

// --- internal ---

interface Saved {
  readonly version: 1;
  readonly state: State;
  readonly line: SavedLine;
}

/** Our own row, guarded by the store's checksum: this only tells a foreign text from ours. */
function readSaved(text: string): Saved {
  try {
    const saved = JSON.parse(text) as Partial<Saved> | null;
    if (saved?.version === 1 && saved.state && typeof saved.line?.offset === "number")
      return saved as Saved;
  } catch {
    // Told below.
  }
  throw new Fault("corrupt", msg("protocol.bad_state"));
}
