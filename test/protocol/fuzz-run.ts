// Generated outputs, in random chunks and with restarts in between, against the reference.
// A script of its own (`node scripts/run-ts.mjs test/protocol/fuzz-run.ts first last`), because
// bundled it runs several times as fast as inside the test runner. Prints one JSON.
import { isDeepStrictEqual } from "node:util";
import type { Message } from "../../src/core/messages.ts";
import {
  type ProtocolOptions,
  type Signal,
  createProtocolParser,
} from "../../src/core/protocol.ts";
import { generate } from "./generate.ts";
import { reference } from "./reference.ts";

export interface FuzzResult {
  cases: number;
  /** Cases with at least one true marker. */
  marked: number;
  /** How often each signal and each complaint came up. */
  seen: Record<string, number>;
  /** The first case on which the two disagree. */
  failure?: { seed: number; text: string; got: unknown; wanted: unknown };
}

const [first = 1, last = 1000] = process.argv.slice(2).map(Number);
console.log(JSON.stringify(fuzz(first, last)));

function fuzz(from: number, to: number): FuzzResult {
  const result: FuzzResult = { cases: 0, marked: 0, seen: {} };
  for (let seed = from; seed <= to; seed++) {
    const { bytes, token, limits, next } = generate(seed);
    const wanted = reference(bytes, { token, limits });
    const got = parsed(bytes, { token, limits }, next);
    if (!isDeepStrictEqual(got, wanted))
      return { ...result, failure: { seed, text: Buffer.from(bytes).toString(), got, wanted } };
    result.cases++;
    if (wanted.signals.some(({ kind }) => kind !== "malformed")) result.marked++;
    for (const { kind, complaints } of wanted.signals)
      for (const name of (complaints as string[] | undefined) ?? [String(kind)])
        result.seen[name] = (result.seen[name] ?? 0) + 1;
  }
  return result;
}

function parsed(bytes: Uint8Array, options: ProtocolOptions, next: () => number): unknown {
  const largest = [1, 4, 20, 60, 200, 5000][Math.floor(next() * 6)] ?? 1;
  const restarts = next() < 0.3;
  let parser = createProtocolParser(options);
  const signals: Signal[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + Math.floor(next() * largest);
    // A copy that is wiped afterwards: the parser must not look into a chunk it was given.
    const chunk = bytes.slice(at, at + size);
    signals.push(...parser.push(chunk));
    chunk.fill(0x23);
    at += size;
    if (restarts && next() < 0.2)
      parser = createProtocolParser({ ...options, resume: parser.save() });
  }
  signals.push(...parser.end());
  return { signals: signals.map(plain), ignored: parser.ignored };
}

/** A signal as the reference writes it: complaints by the names of their texts. */
function plain(signal: Signal): object {
  if (signal.kind !== "malformed") return signal;
  const { complaint, ...rest } = signal;
  return { ...rest, complaints: names(complaint).toSorted() };
}

function names(message: Message): string[] {
  if (message.key !== "protocol.several") return [message.key.replace("protocol.", "")];
  return Object.values(message.params).flatMap((part) =>
    typeof part === "object" ? names(part) : [],
  );
}
