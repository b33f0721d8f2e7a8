import { engineWorld } from "./world.ts";

const tasks = Number(process.argv[2] ?? 20),
  slots = Number(process.argv[3] ?? 4);
const world = engineWorld();
const times = new Map<string, number[]>();
const begun = new Map<string, number[]>();
let commits = 0;
const open = await world.open({
  slots,
  at: (place) => {
    if (place === "committed") {
      commits++;
      return;
    }
    const [when, name = ""] = place.split(" ");
    if (when === "before") begun.set(name, [...(begun.get(name) ?? []), performance.now()]);
    else {
      const b = begun.get(name)?.shift() ?? 0;
      times.set(name, [...(times.get(name) ?? []), performance.now() - b]);
    }
  },
});
const script = process.argv[4] ?? "write a.txt x\nusage 1\ndone x";
const t0 = performance.now();
const ids: string[] = [];
for (let n = 0; n < tasks; n++)
  ids.push((await open.submit({ title: `T${n}`, script: script.replaceAll("\\n", "\n") })).id);
const t1 = performance.now();
const cpu0 = process.cpuUsage();
await open.service.start();
for (;;) {
  const all = await open.store.tasks({ statuses: ["completed", "failed"] });
  for (const q of await open.store.entities({ kind: "question", status: "open" }))
    await open.tasks.answer(q.taskId, { questionId: q.id, answer: "yes" }).catch(() => undefined);
  if (all.length === tasks) break;
  await new Promise((r) => setTimeout(r, 50));
}
const t2 = performance.now();
const cpu = process.cpuUsage(cpu0);
console.log(
  `submit ${((t1 - t0) / tasks).toFixed(0)} ms each; run ${((t2 - t1) / 1000).toFixed(1)} s, ${((tasks / (t2 - t1)) * 1000).toFixed(2)}/s; commits ${(commits / tasks).toFixed(1)} per task; engine cpu ${((cpu.user + cpu.system) / 1000 / tasks).toFixed(0)} ms per task`,
);
for (const [name, list] of times) {
  const s = list.toSorted((a, b) => a - b);
  console.log(
    name.padEnd(16),
    `${(list.length / tasks).toFixed(1)}×`,
    `median ${s[s.length >> 1]?.toFixed(0)} ms`,
    `max ${s.at(-1)?.toFixed(0)}`,
    `sum/task ${(s.reduce((a, b) => a + b, 0) / tasks).toFixed(0)}`,
  );
}
for (;;) {
  const left = await open.store.tasksWithEffects();
  if (left.length === 0) break;
  await new Promise((r) => setTimeout(r, 50));
}
await open.close();
if (world.complaints.length) console.log(world.complaints);
await world.close();
process.exit(0);
