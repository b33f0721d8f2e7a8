// Somebody at a terminal: an engine without slots that does what it is told, a line of JSON each, and
// says how it went.
//   node hand.mjs <home>
//   {"do":"answer","id":"task_…","key":"k1","given":{…}}   ->   k1 ok | k1 refused <text>
import { createInterface } from "node:readline";
import { createEngine } from "../../src/app/_engine.ts";
import { Fault } from "../../src/core/errors.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { homeOf } from "../../src/store/home.ts";

const [, , home = ""] = process.argv;
const env = { ...process.env, HOLDFAST_HOME: home };
const store = await openSqlite(`${home}/holdfast.db`);
const engine = createEngine({
  store,
  home: homeOf(env),
  env,
  programs: { sample: [] },
  slots: 0,
  notify: () => Promise.resolve(),
  complain: (what, cause) =>
    console.log(`complaint ${what}: ${cause instanceof Error ? cause.message : String(cause)}`),
});

interface Wish {
  readonly do: "answer" | "approve" | "act";
  readonly id: string;
  readonly key: string;
  /** As the operation takes it: whoever writes the line knows. */
  readonly given: never;
}

console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "end") break;
  const wish = JSON.parse(line) as Wish;
  try {
    await carryOut(wish);
    console.log(`${wish.key} ok`);
  } catch (cause) {
    const code = cause instanceof Fault ? cause.code : "crash";
    console.log(`${wish.key} ${code} ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
await engine.close();
await store.close();
process.exit(0);

function carryOut({ do: what, id, key, given }: Wish): Promise<unknown> {
  const { tasks } = engine;
  if (what === "answer") return tasks.answer(id, given, key);
  if (what === "approve") return tasks.approve(id, given, key);
  return tasks.act(id, given, key);
}
