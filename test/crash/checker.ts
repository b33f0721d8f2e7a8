// Looks after an accident, from a process of its own: `checker.mjs <home> <project> <name> <acked>`.
// Says “checked”, or what is not as it should be.
import { checkAfter } from "./check.ts";

const [home = "", project = "", name = "", acked = "0"] = process.argv.slice(2);
try {
  await checkAfter(home, project, { acked: new Map([[name, Number(acked)]]) });
  console.log("checked");
} catch (cause) {
  console.log(cause instanceof Error ? cause.message : cause);
}
