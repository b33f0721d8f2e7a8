// Looks after an accident, from a process of its own:
// `checker.mjs <home> <project> <name> <acked> <kind of document, or “row”>`.
// Says “checked”, or what is not as it should be.
import { checkAfter } from "./check.ts";
import type { Kind } from "./kinds.ts";
import { checkRow } from "./row.ts";

const [home = "", project = "", name = "", acked = "0", what = ""] = process.argv.slice(2);
try {
  if (what === "row") await checkRow(home, Number(acked));
  else
    await checkAfter(home, project, {
      acked: new Map([[name, Number(acked)]]),
      kind: what as Kind,
    });
  console.log("checked");
} catch (cause) {
  console.log(cause instanceof Error ? cause.message : cause);
}
