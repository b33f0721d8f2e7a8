import type { Text } from "../messages.ts";

/** Complaints and notices about stored documents. */
export const formatTexts = {} as const satisfies Record<string, Text>;
