// An agent for tests of a list of tasks: writes one file for each of them.
import { converse } from "./conversation.mjs";

converse(
  (prompt) => /^# ([TP][\w.-]*\w)/m.exec(prompt)?.[1],
  (unit) => ({ write: { [`${unit}.txt`]: `${unit}\n` } }),
);
