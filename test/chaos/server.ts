// A server to be killed: it holds agents and does what it is told, one JSON a line.
// Started as: server.mjs <home> <place> [<the step of a start at which it dies>]
import { createInterface } from "node:readline";
import { closeInput, writeInput } from "../../src/agents/streams.ts";
import type { RunSpec } from "../../src/agents/supervisor.ts";
import { specAt, supervisorAt } from "./parts.ts";

const [home = "", place = "", deadly] = process.argv.slice(2);
const supervisor = supervisorAt(home, {
  onStep: (step) => {
    if (step === deadly) process.kill(process.pid, "SIGKILL");
  },
});

/** What a test may ask of a server. */
export interface Asked {
  readonly do: "start" | "freeze" | "thaw" | "end" | "look" | "say" | "close" | "sweep";
  readonly run: string;
  readonly command?: readonly string[];
  readonly graceMs?: number;
  readonly offset?: number;
  readonly text?: string;
}

type Answers = Record<Asked["do"], (asked: Asked) => Promise<unknown>>;

const spec = ({ run, command = [] }: Asked): RunSpec => specAt(home, place, run, command);
const answers: Answers = {
  start: (asked) => supervisor.start(spec(asked)),
  look: (asked) => supervisor.look(spec(asked).folder),
  freeze: ({ run }) => supervisor.freeze(run),
  thaw: ({ run }) => supervisor.thaw(run),
  end: ({ run, graceMs = 1000 }) => supervisor.end(run, { graceMs }),
  sweep: () => supervisor.sweep(new Set()),
  say: (asked) => writeInput(spec(asked).folder, asked.offset ?? 0, Buffer.from(asked.text ?? "")),
  close: (asked) => closeInput(spec(asked).folder),
};

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as Asked;
  console.log(JSON.stringify((await answers[asked.do](asked)) ?? null));
}
