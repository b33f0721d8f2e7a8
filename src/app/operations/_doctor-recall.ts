// The index that `recall` searches (S4.9): whether it is sound. It is made of other things, so what is
// wrong with it is put right by making it again.
import { type Message, msg } from "../../core/messages.ts";
import { isSound } from "../../store/recall/recall.ts";
import type { Context } from "../operation.ts";
import { recallFile, withPast } from "../recall/open.ts";
import type { Line } from "./doctor.ts";

export function checkRecall({ home, project }: Context): Line[] {
  const file = recallFile(home, project.root);
  if (isSound(file)) return [];
  const message = msg("doctor.recall.broken", { file });
  return [
    {
      topic: "database",
      level: "problem",
      path: file,
      message,
      hint: msg("doctor.recall.broken.hint"),
    },
  ];
}

export async function fixRecall(context: Context): Promise<readonly Message[]> {
  const { home, project } = context;
  if (isSound(recallFile(home, project.root))) return [];
  return withPast(context, project.root, true, ({ recall }) => [
    msg("recall.rebuilt", { count: recall.count() }),
  ]);
}
