// What the files of a request share (S4.1, S4.2): strict, so that a model's invention is refused.
import { z } from "zod";
import { type Message, msg } from "../core/messages.ts";
import { type Finding, error, pointerTo } from "./format.ts";
import { filled, text, time } from "./shapes.ts";

export const fileStatuses = ["exists", "to_create", "to_modify"] as const;

export const project = () =>
  z.strictObject({ path: text("absolutePath"), name: filled(), hash: text("projectHash") });

export const manifest = () =>
  z.strictObject({
    claude_md: text("absolutePath").nullable(),
    agents_md: text("absolutePath").nullable(),
  });

/** The head of a contract, by the level it belongs to. */
export const requestHead = <R extends string>(role: R) => ({
  version: z.literal(1),
  request_id: text("requestId"),
  created_at: time(),
  created_by: z.literal(role),
});
export const taskHead = <R extends string>(role: R) => ({
  ...requestHead(role),
  task_id: text("taskId"),
});
export const subtaskHead = <R extends string>(role: R) => ({
  ...taskHead(role),
  subtask_id: text("subtaskId"),
});

export const fileRefs = () =>
  z.array(
    z.strictObject({ entity: filled(), path: text("relativePath"), status: z.enum(fileStatuses) }),
  );

/** Each id once: the second one is named. */
export function idsOnce(
  items: readonly { readonly id: string }[],
  ...at: readonly (string | number)[]
): Finding[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, index) => {
    const twice = seen.has(id);
    seen.add(id);
    return twice ? [error(pointerTo(...at, index, "id"), msg("format.rule.same_id", { id }))] : [];
  });
}

/** An order list: each id once, and each known id in it. `at` is where the list stands. */
export function orderFits(
  order: readonly string[],
  known: Iterable<readonly [id: string, pointer: string]>,
  ...at: readonly (string | number)[]
): Finding[] {
  const listed = new Set<string>();
  const findings = order.flatMap((id, index) => {
    const twice = listed.has(id);
    listed.add(id);
    return unless(!twice, pointerTo(...at, index), msg("format.rule.same_id", { id }));
  });
  for (const [id, pointer] of known) {
    findings.push(
      ...unless(
        listed.has(id),
        pointer,
        msg("format.rule.not_in_order", { id, order: String(at.at(-1)) }),
      ),
    );
  }
  return findings;
}

/** T1-S1 belongs to T1 and to no other. */
export function belongs(
  subtask: string,
  task: string,
  ...at: readonly (string | number)[]
): Finding[] {
  return subtask.startsWith(`${task}-`)
    ? []
    : [error(pointerTo(...at), msg("format.rule.foreign_subtask", { subtask, task }))];
}

export function unless(fine: boolean, pointer: string, text_: Message): Finding[] {
  return fine ? [] : [error(pointer, text_)];
}
