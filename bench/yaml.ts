// Job 5: YAML of 3,200 and 32,000 keys. The library's own check for duplicate keys is quadratic
// (32,000 keys took 8 s); ours must be linear. JSON.parse of the same data is the limit.
import { parseJson } from "../src/formats/json.ts";
import { parseYaml, printYaml } from "../src/formats/yaml.ts";
import { compare, demand } from "./harness.ts";

const job = "yaml";
const rounds = 10;

export async function bench(): Promise<void> {
  const [small, large] = [3_200, 32_000].map(makeTexts) as [Texts, Texts];
  // As many keys in each: ten small documents against one large one.
  const ten = Array.from({ length: 10 });
  const done = await compare({
    job,
    rounds,
    measure: "cpu",
    contenders: [
      { name: "JSON.parse, 32,000 keys", run: () => count(JSON.parse(large.json)) },
      { name: "our JSON, 32,000 keys", run: () => count(valueOf(parseJson(large.json))) },
      { name: "our YAML, 32,000 keys", run: () => count(valueOf(parseYaml(large.yaml))) },
      {
        name: "our YAML, ten times 3,200 keys",
        run: () => ten.reduce<number>((sum) => sum + count(valueOf(parseYaml(small.yaml))), 0),
      },
    ],
    equal: (results) => results.every((keys) => keys === 32_000),
  });
  const growth = 10 * done.ratio("our YAML, 32,000 keys", "our YAML, ten times 3,200 keys");
  demand(job, "growth from 3,200 to 32,000 keys", growth, 13);
  const milliseconds = done.total("our YAML, 32,000 keys") / rounds;
  console.log(`  32,000 keys are read in ${Math.round(milliseconds)} ms`);
  proveDuplicates(large.yaml);
}

// --- helpers ---

interface Texts {
  readonly yaml: string;
  readonly json: string;
}

function makeTexts(keys: number): Texts {
  const value = Object.fromEntries(
    Array.from({ length: keys }, (_, n) => [`key_${n}`, n % 3 === 0 ? n : `value ${n}`]),
  );
  return { yaml: printYaml(value), json: `${JSON.stringify(value, null, 2)}\n` };
}

function valueOf(parsed: { ok: boolean; value?: unknown }): unknown {
  if (!parsed.ok) throw new Error(`${job}: the text was refused`);
  return parsed.value;
}

function count(value: unknown): number {
  return Object.keys(value as object).length;
}

/** The work includes the look for keys that stand twice, wherever they are. */
function proveDuplicates(yaml: string): void {
  for (const key of ["key_0", "key_31999"])
    if (parseYaml(`${yaml}${key}: again\n`).ok) throw new Error(`${job}: ${key} stands twice`);
}
