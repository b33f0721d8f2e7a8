// The clock outside tests. What was set and not yet due is forgotten with `stop`, so that a command
// that is done does not linger.
export interface RealClock {
  readonly now: () => number;
  readonly after: (milliseconds: number, call: () => void) => () => void;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly stop: () => void;
}

/** Node's timers hold at most so many milliseconds, and fire at once beyond. */
const longest = 2 ** 31 - 1;

export function realClock(): RealClock {
  const open = new Set<NodeJS.Timeout>();
  const after = (milliseconds: number, call: () => void): (() => void) => {
    const timer = setTimeout(
      () => {
        open.delete(timer);
        call();
      },
      Math.min(Math.max(0, milliseconds), longest),
    );
    open.add(timer);
    return () => {
      clearTimeout(timer);
      open.delete(timer);
    };
  };
  return {
    now: Date.now,
    after,
    wait: (milliseconds) => new Promise((turn) => void after(milliseconds, turn)),
    stop: () => {
      for (const timer of open) clearTimeout(timer);
      open.clear();
    },
  };
}
