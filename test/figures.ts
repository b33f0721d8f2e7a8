// What a test has seen, said to whoever watches and kept for docs/reliability.md: one line of JSON
// each, in the file that HOLDFAST_FIGURES names (scripts/reliability-report.ts reads it).
import { appendFileSync } from "node:fs";
import { expect } from "vitest";

export interface Figure {
  /** Cases that were tried: cuts, kills, updates. */
  readonly seen: number;
  /** Those that went wrong: an acknowledged change was gone, a file half, nobody was told. */
  readonly lost: number;
  /** What else is worth knowing of them. */
  readonly more?: string;
}

/** By the name it has in the report. Before it is judged: a failure has its figures too. */
export function figure(name: string, { seen, lost, more }: Figure): void {
  console.log(`${name}: ${seen}, ${lost} lost${more === undefined ? "" : ` (${more})`}`);
  const file = process.env["HOLDFAST_FIGURES"];
  if (!file) return;
  const test = expect.getState().currentTestName;
  appendFileSync(file, `${JSON.stringify({ figure: name, seen, lost, more, test })}\n`);
}
