// `machines`: the tables by which tasks and agents change their state, as data for a diagram: states,
// rows, what each row's guard refuses with and what follows (S6.2). One source with the engine.
import { z } from "zod";
import { agentMachine } from "../../core/machines/agent.ts";
import { taskMachine } from "../../core/machines/task.ts";
import { STAY } from "../../core/machine.ts";
import type { Message } from "../../core/messages.ts";
import { type Operation, sentence } from "../operation.ts";
import { agentWorlds, needsOf, refusalsOf, taskWorlds } from "./_machines-probes.ts";

const row = () =>
  z.object({
    from: z.string(),
    on: z.string(),
    to: z.string(),
    /** With what it may be refused; empty: always taken. */
    refusals: z.array(sentence()),
    /** What the event has to bring along. */
    needs: z.array(sentence()),
    effects: z.array(z.string()),
  });

export const input = () => z.strictObject({});

export const output = () =>
  z.object({
    machines: z.array(
      z.object({
        name: z.string(),
        title: sentence(),
        initial: z.string(),
        final: z.array(z.string()),
        states: z.array(z.string()),
        rows: z.array(row()),
      }),
    ),
  });

export type Machines = z.infer<ReturnType<typeof output>>;
export type MachineView = Machines["machines"][number];

export const operation: Operation<z.infer<ReturnType<typeof input>>, Machines> = {
  name: "machines",
  fields: {},
  run: async () => ({
    machines: (shown ??= [view(taskMachine, taskWorlds()), view(agentMachine, agentWorlds())]),
  }),
};

// --- internal ---

/** Tables do not change while a program runs. */
let shown: MachineView[] | undefined;

interface Table {
  readonly name: string;
  readonly title: Message;
  readonly initial: string;
  readonly final: readonly string[];
  readonly states: readonly string[];
  readonly rows: readonly (Parameters<typeof refusalsOf>[0] & {
    readonly from: string | readonly string[];
    readonly on: string;
    readonly to: string;
    readonly effects?: readonly string[];
  })[];
}

function view(
  { name, title, initial, final, states, rows }: Table,
  worlds: readonly object[],
): MachineView {
  return {
    name,
    title,
    initial,
    final: [...final],
    states: [...states],
    rows: rows.flatMap((one) => {
      const refusals = refusalsOf(one, worlds);
      const needs = needsOf(one, worlds);
      return [one.from].flat().map((from) => ({
        from,
        on: one.on,
        to: one.to === STAY ? from : one.to,
        refusals,
        needs,
        effects: [...(one.effects ?? [])],
      }));
    }),
  };
}
