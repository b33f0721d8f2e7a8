// Writes the input checks and JSON Schemas of the operations to src/app/generated/. Runs after
// formats.ts, whose output the operations import.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type OperationName, operations } from "../../src/app/operations.ts";
import { schemas } from "../../src/app/schemas.ts";
import { render } from "../../src/core/messages.ts";
import { type Schema, compile, fileOf, root, toJsonSchema, write, writeIndex } from "./compile.ts";

const folder = join(root, "src", "app", "generated");
rmSync(folder, { recursive: true, force: true });

const names = Object.keys(operations) as OperationName[];
const all: Record<string, { input: Schema; output: Schema }> = {};
const limits: string[] = [];
for (const name of names) {
  const { fields } = await operations[name].load();
  const input = toJsonSchema(schemas[name].input());
  const properties = (input["properties"] ?? {}) as Record<string, Schema>;
  for (const [field, schema] of Object.entries(properties)) {
    const means = fields[field];
    if (!means) throw new Error(`${name}: the field ${field} has no text`);
    schema["description"] = render("en", means);
  }
  limits.push(`export const ${camel(name)} = ${JSON.stringify(longest(properties))};`);
  all[name] = { input, output: toJsonSchema(schemas[name].output()) };
  // The schema beside its check: whoever reads one operation's flags loads no other's.
  const schema = `export const schema = ${JSON.stringify(input)};\n`;
  write(join(folder, "inputs", `${fileOf(name)}.js`), `${compile(input, true)}\n${schema}`);
}
write(join(folder, "schemas.js"), `export default ${JSON.stringify(all, null, 2)};\n`);
writeIndex(join(folder, "index.js"), { inputs: names });
// For the page: how long a text may be, without the check that says so.
write(join(folder, "limits.js"), `${limits.join("\n")}\n`);
write(
  join(folder, "limits.d.ts"),
  `${limits.map((line) => line.replace(" = ", ": ").replaceAll('"', "")).join("\n")}\n`,
);

// --- internal ---

function longest(properties: Readonly<Record<string, Schema>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([field, { maxLength }]) =>
      maxLength === undefined ? [] : [[field, maxLength]],
    ),
  );
}

/** `task request-changes` → `taskRequestChanges`. */
function camel(name: string): string {
  return name.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());
}
