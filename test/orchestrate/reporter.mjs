// One session of many: asks what is next, takes it, reports it, until all is done. Each call is the
// program itself, in a process of its own; what came of it is printed: `started T1.3`, `done T1.3`.
import { spawnSync } from "node:child_process";

const [, , cli = "", session = ""] = process.argv;

function call(...words) {
  const done = spawnSync(process.execPath, [cli, ...words, "--session", session], {
    encoding: "utf8",
  });
  return { code: done.status, out: done.stdout.trim() };
}

function take(id) {
  if (call("report", "orchestrate", `START:${id}`).code !== 0) return;
  process.stdout.write(`started ${id}\n`);
  const { code } = call("report", "orchestrate", `DONE:${id}`);
  if (code === 0) process.stdout.write(`done ${id}\n`);
}

// Which of those that are ready: by its own name, so that not all reach for the first.
const mine = Number(session.replace(/\D/g, ""));
for (let line = call("next", "orchestrate").out; line !== "ALL_DONE";) {
  const ids = line.startsWith("READY:") ? line.slice(6).split(",") : [];
  const id = ids[mine % Math.max(1, ids.length)];
  if (id !== undefined) take(id);
  line = call("next", "orchestrate").out;
}
