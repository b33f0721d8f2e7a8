// A person's own git in a repository where 10,000 units were completed: what the references of the runs cost them.
// The two repositories have the same history and differ by these references alone. Both are as git keeps them: the
// person's own `fetch` and `commit` collect garbage by themselves long before there are so many objects.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { refOf } from "../src/git/refs.ts";
import { compare, demand } from "./harness.ts";
import { cache } from "./shim.ts";

const job = "refs";
const units = 10_000;
const rounds = 40;
const commands = [["status"], ["fetch"], ["log", "-100"]] as const;

export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(cache, "bench-refs-"));
  try {
    const [without, withRefs] = [repository(folder, "without"), repository(folder, "with")];
    completeUnits(withRefs);
    for (const place of [without, withRefs]) git(place, ["gc", "-q"]);
    for (const words of commands) {
      const done = await compare({
        job: `${job}, git ${words.join(" ")}`,
        rounds,
        measure: "wall",
        contenders: [
          { name: "before", run: () => git(without, words) },
          { name: `with ${units} units`, run: () => git(withRefs, words) },
        ],
        equal: ([before, now]) => before === now,
      });
      const ratio = done.ratio(`with ${units} units`, "before");
      demand(job, `git ${words.join(" ")}, times before`, ratio, 1.2);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

/** With a remote beside it that has the same. */
function repository(folder: string, name: string): string {
  const place = join(folder, name);
  git(folder, ["init", "-q", "-b", "main", place]);
  git(place, ["fast-import", "--quiet"], history());
  git(place, ["reset", "-q", "--hard"]);
  git(folder, ["clone", "-q", "--bare", place, `${place}.git`]);
  git(place, ["remote", "add", "origin", `${place}.git`]);
  git(place, ["fetch", "-q"]);
  return place;
}

function history(): string {
  const lines = Array.from({ length: units }, (_, at) => {
    const text = `T${at}`;
    const who = `committer a <a@localhost> ${1_700_000_000 + at} +0000`;
    const file = `M 100644 inline u/${at % 100}/${at}\ndata ${text.length}\n${text}`;
    return `commit refs/heads/main\n${who}\ndata ${text.length}\n${text}\n${file}\n`;
  });
  return lines.join("");
}

/** As a run of 100 phases leaves them: what has landed is held by its phase, 100 units more are at most named themselves. */
function completeUnits(place: string): void {
  const commits = git(place, ["rev-list", "main"]).trim().split("\n");
  const run = "task_0123456789abcdef";
  const phases = (["branch", "shown", "landed"] as const).flatMap((kind) =>
    Array.from({ length: 100 }, (_, n) => [refOf(run, kind, `phase-${n}`), commits[n * 100]]),
  );
  const open = (["unit", "merged"] as const).flatMap((kind) =>
    commits.slice(0, 100).map((commit, n) => [refOf(run, kind, `T100.${n}-1`), commit]),
  );
  const moves = [...phases, ...open].map(([name, commit]) => `create ${name} ${commit}\n`);
  git(place, ["update-ref", "--stdin"], moves.join(""));
}

function git(cwd: string, words: readonly string[], input?: string): string {
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  const ran = spawnSync("git", words, { cwd, env, input, encoding: "utf8", maxBuffer: 1e9 });
  if (ran.status !== 0) throw new Error(`git ${words.join(" ")}: ${ran.stderr}`);
  return ran.stdout;
}
