// A look takes a document for sound, or leaves it to the codec: never for sound what the codec refuses.
import { expect, test } from "vitest";
import { seeds } from "../../test/fixtures/documents.ts";
import { loadCodec } from "./codec.ts";
import type { OrchestrateState } from "./orchestrate-state.ts";
import { readSound } from "./sound.ts";

const encoder = new TextEncoder();
const codec = await loadCodec("orchestrate-state");
const fixture = seeds.find(({ format }) => format === "orchestrate-state");
const read = codec.read(fixture?.bytes ?? encoder.encode(""));
if (!read.ok) throw new Error("the fixture does not read");
const state = read.value;

const look = (text: string | Uint8Array): Promise<OrchestrateState | undefined> =>
  readSound("orchestrate-state", typeof text === "string" ? encoder.encode(text) : text);

test("S6.1 as it was written, compact or with tabs: the same document", async () => {
  for (const indent of ["  ", "\t", ""])
    expect(await look(`${JSON.stringify(state, null, indent)}\n`)).toEqual(state);
});

test("S2.2 a circle, or a dependency that is not there, is not sound", async () => {
  const [a = "", b = ""] = state.tasks.completed;
  for (const dependencies of [{ [a]: [b], [b]: [a] }, { [a]: ["T99.99"] }, { [a]: [a] }])
    expect(await look(codec.print({ ...state, dependencies }))).toBeUndefined();
});

test("S5.4 what the codec refuses in a text is not sound either", async () => {
  const text = codec.print(state);
  const wrong = [
    text.slice(0, -3),
    text.replace("{", '{ "version": "2.0",'),
    text.replace("{", '{\n  "__proto__": {},'),
    text.replace('"config": {', '"config": {\n    "own": 1e999,'),
    text.replace('"config": {', '"config": {\n    "own": "\\ud800",'),
    text.replace("{", `{\n  "own": ${"[".repeat(65)}${"]".repeat(65)},`),
    codec.print({ ...state, own: nested(65) }),
    text.replace('"2.0"', '"2.1"'),
  ];
  for (const each of wrong) expect([each, await look(each)]).toEqual([each, undefined]);
  const bytes = encoder.encode(text);
  bytes[text.indexOf(state.project)] = 0xff;
  expect(await look(bytes)).toBeUndefined();
});

// --- internal ---

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}
