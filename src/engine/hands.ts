// What the engine can do to the world. Each effect is carried out at least once and is harmless to
// repeat: it looks at the task as it is now before it acts.
import type { Reader } from "../agents/adapters/adapter.ts";
import type { RunState } from "../agents/run.ts";
import type { Effect, EffectName } from "./_draft.ts";
import type { Live } from "./_live.ts";
import type { EffectResult } from "./inputs.ts";
import type { Kinds } from "./state.ts";

export interface Hands {
  /** Runs beside others, and does not hold up what comes after it. */
  isLong(name: EffectName): boolean;
  readonly retryMs: number;
  /** What an effect that failed so often comes to; undefined: try it again. */
  giveUp(effect: Effect, tries: number, cause: unknown): EffectResult | undefined;
  carryOut(effect: Effect, live: Live, signal: AbortSignal): Promise<EffectResult>;

  /** Goes on where the process's row says. */
  readerFor(agent: Kinds["agent"], process: Kinds["process"]): Reader;
  look(process: string): Promise<RunState>;
  read(process: string, offset: number, most: number): Promise<Uint8Array>;
  /** Calls when the process may have printed something or ended; returns how to stop. */
  watch(process: string, wake: () => void): () => void;
}
