// Writes what the formats need at run time, so that nothing there loads zod or ajv (docs/adr/0004):
//
//   src/formats/generated/first/{name}.js   stops at the first complaint: the hot path
//   src/formats/generated/all/{name}.js     collects all of them: after a failure
//   src/formats/generated/schemas.js        every JSON Schema, for `holdfast schema`
//   dist/schemas/{name}.json                the same schemas, as files of the package
import { rmSync } from "node:fs";
import { join } from "node:path";
import { render } from "../../src/core/messages.ts";
import { formatNames, formats } from "../../src/formats/registry.ts";
import { schemas } from "../../src/formats/schemas.ts";
import { type Schema, compile, root, toJsonSchema, write, writeIndex } from "./compile.ts";

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
  write(join(root, "dist", "schemas", `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
}
write(join(folder, "schemas.js"), `export default ${JSON.stringify(all, null, 2)};\n`);
writeIndex(join(folder, "index.js"), { first: formatNames, all: formatNames });
