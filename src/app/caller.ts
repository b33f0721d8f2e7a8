// Who calls, as the call itself says: an agent in a run of ours, or anybody else. Whether it is true
// is asked in own-run.ts; this much every call looks at, so it loads nothing.
import { proofName, tagName } from "../agents/names.ts";
import type { Environment } from "../store/home.ts";

export interface Caller {
  readonly run: string;
  readonly proof: string;
}

export function callerIn(env: Environment): Caller | null {
  const run = env[tagName];
  return run === undefined || run === "" ? null : { run, proof: env[proofName] ?? "" };
}

/** As one word, for a door that takes one: `run_abc.<proof>`. */
export function callerOf(word: string): Caller | null {
  const [run = "", proof = "", more] = word.split(".");
  return more === undefined && proof !== "" && /^run_\w{1,64}$/.test(run) ? { run, proof } : null;
}
