// The benchmarks: `node scripts/run-ts.mjs bench/main.ts [job]`. Exits 1 when a demand is missed.
import { availableParallelism, cpus } from "node:os";
import { closest } from "../src/core/closest.ts";
import { bench as calls } from "./calls.ts";
import { bench as document } from "./document.ts";
import { bench as git } from "./git.ts";
import { bench as graph } from "./graph.ts";
import { summary } from "./harness.ts";
import { bench as protocol } from "./protocol.ts";
import { bench as recall } from "./recall.ts";
import { bench as recovery } from "./recovery.ts";
import { bench as refs } from "./refs.ts";
import { bench as spawn } from "./spawn.ts";
import { bench as stream } from "./stream.ts";
import { bench as transition } from "./transition.ts";
import { bench as validate } from "./validate.ts";
import { bench as yaml } from "./yaml.ts";

const jobs: Readonly<Record<string, () => void | Promise<void>>> = {
  calls,
  document,
  git,
  graph,
  protocol,
  recall,
  recovery,
  refs,
  spawn,
  stream,
  transition,
  validate,
  yaml,
};

const [wanted] = process.argv.slice(2);
const names = Object.keys(jobs);
const chosen = wanted === undefined ? names : names.filter((name) => name === wanted);

if (wanted !== undefined && chosen.length === 0) {
  const near = closest(wanted, names);
  const hint = near === undefined ? `Jobs: ${names.join(", ")}.` : `Did you mean ${near}?`;
  console.error(`There is no job “${wanted}”. ${hint}`);
  process.exitCode = 2;
} else {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  console.log(`node ${process.version}, ${availableParallelism()} cores, ${model}`);
  for (const name of chosen) await jobs[name]?.();
  process.exitCode = summary() ? 0 : 1;
}
