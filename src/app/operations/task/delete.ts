import { z } from "zod";
import type { Operation } from "../../operation.ts";
import { type IdInput, idFields, idInput } from "./_parts.ts";

export const input = idInput;
export const output = () => z.object({ id: z.string(), deleted: z.literal(true) });
export const operation: Operation<IdInput, { id: string; deleted: true }> = {
  name: "task delete",
  fields: idFields,
  run: async (context, { id, key }) => {
    await (await context.tasks()).remove(id, key);
    return { id, deleted: true };
  },
};
