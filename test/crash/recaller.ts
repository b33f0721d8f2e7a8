// Brings an index up to date and ends itself with SIGKILL at the nth place: between two steps, or in
// the middle of a transaction, while an entry is being written.
import { catchUp } from "../../src/app/recall/catch-up.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { type Recall, openRecall } from "../../src/store/recall/recall.ts";

const [home = "", root = "", projectId = "", file = "", nth = "0"] = process.argv.slice(2);

let left = Number(nth);
const passed = (): void => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
};

const real = openRecall(file, root);
const recall: Recall = {
  ...real,
  take: (taken) => {
    const entries = taken.entries.map((entry) => ({
      ...entry,
      get title() {
        passed();
        return entry.title;
      },
    }));
    return real.take({ ...taken, entries });
  },
};
const store = await openSqlite(`${home}/holdfast.db`);
await catchUp({
  recall,
  root,
  home,
  known: { store, projectId, roots: [root] },
  now: Date.now,
  at: passed,
});
await store.close();
real.close();
console.log("done");
