// Fetches what an agent printed, piece by piece: the end first, then whatever is new. Earlier parts
// are fetched when somebody asks for them.
import { useCallback, useEffect, useRef, useState } from "react";
import { type Output, type TaskDetail, api } from "../../data/api.ts";
import { Log } from "./log.ts";

const tailBytes = 512 * 1024;
const pieceBytes = 512 * 1024;
const pollMs = 600;

export interface Pieces {
  readonly log: Log;
  readonly processes: Output["processes"];
  readonly process: string | null;
  /** Bytes before the first that is shown. */
  readonly before: number;
  readonly error: unknown;
  readonly loading: boolean;
  readonly choose: (process: string) => void;
  readonly loadAll: () => void;
}

interface State {
  readonly log: Log;
  readonly processes: Output["processes"];
  readonly process: string | null;
  readonly from: number;
  readonly next: number;
}

const nothing: State = { log: new Log(), processes: [], process: null, from: 0, next: 0 };

export function usePieces(task: TaskDetail): Pieces {
  const [chosen, setChosen] = useState<string | undefined>();
  const [state, setState] = useState<State | null>(null);
  const [error, setError] = useState<unknown>(null);
  // A reader who asked for the beginning keeps it; another process starts with its end again.
  const [whole, setWhole] = useState(false);
  const busy = useRef(false);
  const current = useRef<State | null>(null);
  current.current = state;
  const step = useCallback(async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      const next = await read(task.id, current.current, chosen, whole);
      if (next !== null) setState(next);
      setError(null);
    } catch (thrown) {
      setError(thrown);
    } finally {
      busy.current = false;
    }
  }, [task.id, chosen, whole]);
  useEffect(() => {
    setState(null);
    current.current = null;
    void step();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void step();
    }, pollMs);
    return () => clearInterval(timer);
  }, [step]);
  const shown = state ?? nothing;
  return {
    ...shown,
    before: shown.from,
    error,
    loading: state === null,
    choose: (process) => (setWhole(false), setChosen(process)),
    loadAll: () => setWhole(true),
  };
}

// --- internal ---

/** Null: nothing is new. */
async function read(
  id: string,
  before: State | null,
  chosen: string | undefined,
  whole: boolean,
): Promise<State | null> {
  if (before === null) {
    const first = await api.output(id, { process: chosen, limit: 1 });
    const from = whole ? 0 : Math.max(0, first.size - tailBytes);
    const { processes, process } = first;
    const log = new Log();
    return filled(id, { log, processes, process, from, next: from }, from > 0);
  }
  const seen = await api.output(id, {
    process: chosen ?? undefined,
    offset: before.process === null ? 0 : before.next,
    limit: pieceBytes,
  });
  // A new process has begun: its output follows.
  if (chosen === undefined && seen.process !== before.process) return read(id, null, chosen, false);
  const same = seen.processes.map(({ status }) => status).join();
  if (seen.text === "" && same === before.processes.map(({ status }) => status).join()) return null;
  before.log.feed(seen.text);
  return { ...before, processes: seen.processes, next: seen.next };
}

async function filled(id: string, state: State, cut: boolean): Promise<State> {
  let { next } = state;
  let first = cut;
  if (state.process === null) return state;
  for (;;) {
    const piece = await api.output(id, { process: state.process, offset: next, limit: pieceBytes });
    // The first line of a cut piece is half a line.
    const text = first ? piece.text.slice(piece.text.indexOf("\n") + 1) : piece.text;
    first = false;
    state.log.feed(text);
    if (piece.next === next || piece.next >= piece.size) return { ...state, next: piece.next };
    next = piece.next;
  }
}
