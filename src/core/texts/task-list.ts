import type { Text } from "../messages.ts";

/** Complaints about TASKS.md. */
export const taskListTexts = {} as const satisfies Record<string, Text>;
