import { commandOperation, idInput, taskView } from "./_parts.ts";

export const input = idInput;
export const output = taskView;
export const operation = commandOperation("task archive", "archive");
