// `schema`: the JSON Schema of every stored format, for editors and other programs (S5.5).
import { z } from "zod";
import { closest } from "../../core/closest.ts";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { type FormatName, formatNames, formats } from "../../formats/registry.ts";
import { loadJsonSchemas } from "../../formats/validators.ts";
import { type Operation, sentence } from "../operation.ts";

export const input = () => z.strictObject({ format: z.string().optional() });

export const output = () =>
  z.union([
    z.object({
      formats: z.array(z.object({ name: z.string(), path: z.string(), title: sentence() })),
    }),
    z.object({ schema: z.record(z.string(), z.unknown()) }),
  ]);

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "schema",
  fields: { format: msg("op.schema.format") },
  run: async (_context, { format }) => {
    if (format === undefined) {
      return {
        formats: formatNames.map((name) => ({
          name,
          path: formats[name].path,
          title: formats[name].title,
        })),
      };
    }
    const found = knownFormat(format);
    return { schema: { ...(await loadJsonSchemas())[found] } };
  },
};

/** The format of that name, or a fault that names the closest one. */
export function knownFormat(name: string): FormatName {
  const found = formatNames.find((known) => known === name);
  if (found) return found;
  const near = closest(name, formatNames);
  const hint = near ? msg("cli.did_you_mean", { word: near }) : msg("op.schema.list_hint");
  throw new Fault("not_found", msg("op.schema.unknown", { name }), { hint });
}
