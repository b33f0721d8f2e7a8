// A server without a door: the engine's service, ended by -9 at a named place where FAIL says so.
//   node keeper.mjs <home> <sample> <slots>   FAIL=<place>:<n>  its n-th time
//                                             POLICIES={…}      instead of the usual ones
//                                             RETAIN=<ms>       between two looks at what is kept
import { createEngine } from "../../src/app/_engine.ts";
import type { Policies } from "../../src/engine/decide/world.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { homeOf } from "../../src/store/home.ts";

const [, , home = "", sample = "", slots = "4"] = process.argv;
const env = { ...process.env, HOLDFAST_HOME: home };
const fail = process.env["FAIL"] ?? "";
const colon = fail.lastIndexOf(":");
const [place, times] = [fail.slice(0, colon), Number(fail.slice(colon + 1))];
let met = 0;

const store = await openSqlite(`${home}/holdfast.db`);
const { service } = createEngine({
  store,
  home: homeOf(env),
  env,
  programs: { sample: [process.execPath, sample] },
  slots: Number(slots),
  ...(process.env["RETAIN"] === undefined ? {} : { retainMs: Number(process.env["RETAIN"]) }),
  policies: JSON.parse(process.env["POLICIES"] ?? "{}") as Partial<Policies>,
  notify: () => Promise.resolve(),
  complain: (what, cause) =>
    console.log(`complaint ${what}: ${cause instanceof Error ? cause.message : String(cause)}`),
  at: (here) => {
    if (here === place && ++met === times) {
      console.log(`failpoint ${here}`);
      process.kill(process.pid, "SIGKILL");
    }
  },
});
await service.start();
console.log("ready");
process.stdin.resume();
