// What a task of this project can be: the types that come with Holdfast, then the project's own.
import { z } from "zod";
import {
  phaseNameOf,
  taskTypeNames,
  taskTypeOf,
  titleOf,
} from "../../../workflows/phases/types.ts";
import { builtInTypes } from "../../../formats/project-settings.ts";
import { msg } from "../../../core/messages.ts";
import { createSettings } from "../../_settings.ts";
import { ownAgent } from "../../agent-choice.ts";
import { starters } from "../../conduct/starters.ts";
import { type Operation, sentence } from "../../operation.ts";

export const input = () => z.strictObject({});
export const output = () =>
  z.object({
    types: z.array(
      z.object({
        name: z.string(),
        title: sentence(),
        builtIn: z.boolean(),
        startsEmpty: z.boolean(),
        /** Its own; null: the project's works, or the one that is named. */
        agent: z.string().nullable(),
        phases: z.array(
          z.object({
            name: sentence(),
            review: z.boolean(),
            deliverables: z.array(z.string()),
          }),
        ),
      }),
    ),
  });

export const operation: Operation<
  z.infer<ReturnType<typeof input>>,
  z.infer<ReturnType<typeof output>>
> = {
  name: "task types",
  fields: {},
  run: async (context) => {
    const { id } = await context.projectRow();
    const settings = await createSettings(await context.store()).of(id);
    const types = taskTypeNames(settings).flatMap((name) => {
      const type = taskTypeOf(name, settings, context.language);
      if (type === undefined) return [];
      const phases = type.phases.map((phase) => ({
        name: phaseNameOf(type, phase),
        review: phase.review,
        deliverables: phase.deliverables.map(({ path }) => path),
      }));
      const builtIn = (builtInTypes as readonly string[]).includes(name);
      const { startsEmpty } = type;
      const agent = ownAgent(settings, name);
      return [{ name, title: titleOf(type), builtIn, startsEmpty, agent, phases }];
    });
    const own = types.findIndex(({ builtIn }) => !builtIn);
    const at = own < 0 ? types.length : own;
    // Those that come with Holdfast first.
    return { types: [...types.slice(0, at), ...runs(), ...types.slice(at)] };
  },
};

// --- internal ---

/** Workflows with documents of their own: what their phases are is said by those. */
function runs() {
  return Object.keys(starters).map((name) => ({
    name,
    title: msg(`op.${name}` as "op.orchestrate"),
    builtIn: true,
    startsEmpty: false,
    agent: null,
    phases: [],
  }));
}
