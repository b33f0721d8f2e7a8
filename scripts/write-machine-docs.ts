// Writes docs/machines.md from the machines themselves:
// `node scripts/run-ts.mjs scripts/write-machine-docs.ts`. A test says when it is out of date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MachineOutline, type OutlineRow, STAY, toMermaid } from "../src/core/machine.ts";
import { machines } from "../src/core/machines/index.ts";
import { render } from "../src/core/messages.ts";

export const machineDocsPath = join(import.meta.dirname, "../docs/machines.md");

const head = `# The machines

Everything Holdfast keeps is in one state of one of these machines, and moves only along their
rows. This page is written by \`scripts/write-machine-docs.ts\` from the tables in
\`src/core/machines/\`: change those, then run \`node scripts/run-ts.mjs scripts/write-machine-docs.ts\`.

A question mark stands at an event that a guard may refuse; the refusal says why. What comes under
“then” is done once the new state is committed. “What holds” is checked whenever a record is read.
`;

export function machineDocs(): string {
  const outlines: readonly MachineOutline[] = machines;
  const list = outlines.map(({ name, title }) => `- [${name}](#${name}): ${render("en", title)}`);
  return [head, list.join("\n"), ...outlines.map(section)].join("\n");
}

function section(machine: MachineOutline): string {
  const rows = machine.rows.map(
    (row) => `| ${from(row)} | ${row.on}${guarded(row)} | ${to(row)} | ${then(row)} |`,
  );
  return [
    `\n## ${machine.name}\n`,
    `\`\`\`mermaid\n${toMermaid(machine)}\`\`\`\n`,
    "| from | event | to | then |\n|---|---|---|---|",
    `${rows.join("\n")}\n`,
    "What holds:\n",
    ...machine.states.map((state) => `- \`${state}\`: ${rules(machine, state)}`),
    "",
  ].join("\n");
}

const from = (row: OutlineRow): string => [row.from].flat().join(", ");
const to = (row: OutlineRow): string => (row.to === STAY ? "(stays)" : row.to);
const guarded = (row: OutlineRow): string => (row.when || row.needs ? " ?" : "");
const then = (row: OutlineRow): string => (row.effects ?? []).join(", ");

function rules(machine: MachineOutline, state: string): string {
  const found = machine.guarantees[state] ?? [];
  return (
    found.map(({ rule }) => render("en", rule)).join("; ") || "nothing more than its name says"
  );
}

if (process.argv[1]?.endsWith("write-machine-docs.ts"))
  writeFileSync(machineDocsPath, machineDocs());
