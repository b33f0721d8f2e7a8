// Writes what the formats need at run time, so that nothing there loads zod or ajv (docs/adr/0004):
//
//   src/formats/generated/first/{name}.js   stops at the first complaint: the hot path
//   src/formats/generated/all/{name}.js     collects all of them: after a failure
//   src/formats/generated/sound/{name}.js   yes or no: for a look
//   src/formats/generated/schemas.js        every JSON Schema, for `holdfast schema`
//   dist/schemas/{name}.json                the same schemas, as files of the package
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { render } from "../../src/core/messages.ts";
import { formatNames, formats } from "../../src/formats/registry.ts";
import { schemas } from "../../src/formats/schemas.ts";
import { soundNames } from "../../src/formats/places.ts";
import { type Schema, compile, root, toJsonSchema, write, writeIndex } from "./compile.ts";
import { compileSound } from "./sound.ts";

const folder = join(root, "src", "formats", "generated");
rmSync(folder, { recursive: true, force: true });

const all: Record<string, Schema> = {};
for (const name of formatNames) {
  const { $schema, ...body } = toJsonSchema(schemas[name]());
  if (JSON.stringify(body).includes('"anyOf"'))
    throw new Error(`${name}: a union of equal types has no exact complaint`);
  const description = `${render("en", formats[name].title)} · ${formats[name].path}`;
  const schema = { $schema, title: `Holdfast ${name}`, description, ...body };
  all[name] = schema;
  write(join(folder, "first", `${name}.js`), compile(schema, false));
  write(join(folder, "all", `${name}.js`), compile(schema, true));
  if (soundNames.some((sound) => sound === name))
    write(join(folder, "sound", `${name}.js`), compileSound(schema));
  write(join(root, "dist", "schemas", `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
}
write(join(folder, "schemas.js"), `export default ${JSON.stringify(all, null, 2)};\n`);
writeIndex(
  join(folder, "index.js"),
  { first: formatNames, all: formatNames, sound: soundNames },
  { rules: rulesName() },
);

// --- internal ---

/** By all that a format's rules are made of: the schemas, and every source below this one. */
function rulesName(): string {
  const hash = createHash("sha256").update(JSON.stringify(all));
  for (const place of ["src/core", "src/formats"])
    for (const name of readdirSync(join(root, place)).toSorted())
      if (name.endsWith(".ts") && !name.endsWith(".test.ts"))
        hash.update(readFileSync(join(root, place, name)));
  return hash.digest("hex").slice(0, 16);
}
