// The last that an agent printed before it ended without a word of its own (S2.5): who tries next reads why, and
// two crashes are told apart by it.
import { runFolder } from "../../agents/run.ts";
import { readOutput } from "../../agents/streams.ts";
import { Fault } from "../../core/errors.ts";
import { createRedactor } from "../../core/redact.ts";
import { type Kinds, type Task, markerTokens, stateOf } from "../../engine/state.ts";
import type { Store } from "../../store/database/store.ts";
import { givenTo } from "./_kept.ts";

/** What it complained about, else what it printed; empty: nothing, or it is gone. */
export async function lastLines(store: Store, home: string, task: Task): Promise<string> {
  const state = stateOf(task, await store.entities({ taskId: task.id }));
  const processes = [...state.entities.process.values()];
  const [last] = processes.toSorted((a, b) => b.data.startedAt - a.data.startedAt);
  if (last === undefined) return "";
  const text = (await tailOf(home, last, "err")) || (await tailOf(home, last, "out"));
  const secrets = [...(await givenTo(store, home, task.id)), ...markerTokens(state)];
  const lines = createRedactor(secrets).text(text).split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .slice(-mostLines)
    .map((line) => line.slice(0, longestLine))
    .join("\n");
}

// --- internal ---

const mostLines = 30;
const longestLine = 200;
const mostBytes = 64 * 1024;

async function tailOf(
  home: string,
  { id }: Kinds["process"],
  stream: "err" | "out",
): Promise<string> {
  const folder = runFolder(home, id);
  try {
    const { size } = await readOutput(folder, stream, 0, 0);
    const { bytes } = await readOutput(folder, stream, Math.max(0, size - mostBytes), mostBytes);
    return new TextDecoder().decode(bytes);
  } catch (cause) {
    // Cleared away, or never begun.
    if (cause instanceof Fault) return "";
    throw cause;
  }
}
