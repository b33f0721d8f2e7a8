// One of many processes that write the same row: `worker.mjs <file> <updates> <first>`. Prints
// each update once it is acknowledged, `<first + n> <revision>`, and nothing else.
import { writeSync } from "node:fs";
import { openSqlite } from "../../src/store/database/sqlite.ts";

const [file = "", updates = "0", first = "0"] = process.argv.slice(2);
const store = await openSqlite(file, { patience: 60_000 });
for (let n = 0; n < Number(updates); n++) {
  const id = Number(first) + n;
  for (;;) {
    const row = await store.task("t1");
    if (row === undefined) throw new Error("the task is gone");
    const data = { count: (row.data as { count: number }).count + 1 };
    const outcome = await store.commit({
      tasks: [{ ...row, data }],
      transitions: [
        {
          timestamp: "2026-01-02T03:04:05Z",
          taskId: "t1",
          machine: "task",
          entityId: "t1",
          from: "in_progress",
          to: "in_progress",
          trigger: "update",
          metadata: { id, rev: row.rev + 1 },
        },
      ],
    });
    if (outcome.ok) {
      // Synchronous: it is out before anything else happens, also before a kill.
      writeSync(1, `${id} ${row.rev + 1}\n`);
      break;
    }
    if (outcome.code !== "stale") throw new Error(outcome.code);
  }
}
await store.close();
