import type { Text } from "../messages.ts";

/** The command line's own words: help, hints, headings. */
export const commandTexts = {} as const satisfies Record<string, Text>;
