// What the operations of an agent in its own run share.
import { z } from "zod";
import { type Operation, sentence } from "../../operation.ts";
import type { Context } from "../../operation.ts";
import { type Told, toldText } from "../../own-run.ts";

export const told = () =>
  z.object({
    /** `later`: once the agent goes on. `before`: it had been said. `queued`: nobody is there yet. */
    taken: z.enum(["now", "later", "before", "queued"]),
    /** The agent's, from now on. */
    status: z.string(),
    says: sentence(),
  });

export type ToldView = z.infer<ReturnType<typeof told>>;

/** As much as the protocol takes of one field. */
export const mostText = 10_000;

export function telling<I extends object>(
  name: string,
  fields: Operation<I, ToldView>["fields"],
  say: (context: Context, input: I) => Promise<Told>,
): Operation<I, ToldView> {
  return {
    name,
    fields,
    run: async (context, input) => {
      const found = await say(context, input);
      return { ...found, says: toldText(found) };
    },
  };
}
