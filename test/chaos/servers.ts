// Starts servers (server.ts) as real processes, in each way a person may start one.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import type { Found } from "../../src/agents/supervisor.ts";
import type { RunState } from "../../src/agents/run.ts";
import type { Asked } from "./server.ts";

/** A plain child, a session of its own, a child of a shell without job control. */
export const ways = ["plain", "detached", "under a shell"] as const;
export type Way = (typeof ways)[number];

export interface Server {
  readonly child: ChildProcess;
  ask(question: Asked & { do: "freeze" | "thaw" | "end" }): Promise<Found>;
  ask(question: Asked & { do: "start" | "look" }): Promise<RunState>;
  ask(question: Asked): Promise<unknown>;
  /** Its answers will not come any more. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** One file that Node runs: a program of this folder, and all it needs. */
export async function bundle(file: string, folder: string): Promise<string> {
  const made = await rolldown({
    input: join(import.meta.dirname, file),
    platform: "node",
    external: /^(?![./]|[A-Za-z]:)/,
  });
  const name = file.replace(/\.ts$/, ".mjs");
  await made.write({ dir: folder, entryFileNames: name, codeSplitting: false });
  return join(folder, name);
}

export function startServer(
  program: string,
  home: string,
  place: string,
  { way = "plain", deadly }: { way?: Way; deadly?: string } = {},
): Server {
  const args = [program, home, place, ...(deadly === undefined ? [] : [deadly])];
  const quoted = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
  const [command, words] =
    // The second command keeps the shell from becoming the server.
    way === "under a shell" ? ["sh", ["+m", "-c", `${quoted}; :`]] : [process.execPath, args];
  const child = spawn(command, words, {
    stdio: ["pipe", "pipe", "inherit"],
    detached: way === "detached",
  });
  // It may be dead before it hears us.
  child.stdin.on("error", () => undefined);
  const waiting: ((answer: string) => void)[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(line));
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const ask = async (question: Asked): Promise<never> => {
    const answer = new Promise<string>((done) => waiting.push(done));
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const said = await Promise.race([answer, ended]);
    if (said === undefined) throw new Error(`the server ended before it could ${question.do}`);
    return JSON.parse(said) as never;
  };
  return {
    child,
    ask,
    ended,
    stop: () => {
      child.stdin.end();
      return ended;
    },
  };
}
