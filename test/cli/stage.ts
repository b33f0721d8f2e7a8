// A project, a home and the programs that meet them, for tests of what goes wrong: as another user,
// on a small disk, in either language.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { self } from "../../src/store/identity.ts";
import { type Ended, type Running, cli, freshPlace, root, seeds, start } from "./program.ts";

export const orchestrate = ".claude/orchestrate-state.json";
export const memory = ".claude/memory/shared-context.json";

/** Root may do anything: what permissions do is seen by somebody else. */
const isRoot = process.getuid?.() === 0;
export const nobody = 65_534;
export const asNobody = isRoot
  ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
  : [];

/**
 * Bundles update.ts, a program that writes: no command of today does so without a cause. Where
 * everybody may read it; returns how to remove it.
 */
export async function bundleUpdate(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-update-"));
  chmodSync(folder, 0o755);
  // What is bundled here finds its packages.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const made = await rolldown({
    input: join(import.meta.dirname, "update.ts"),
    platform: "node",
    external: /^(?![./])/,
  });
  await made.write({ dir: folder, entryFileNames: "update.mjs", codeSplitting: false });
  update = join(folder, "update.mjs");
  return () => rmSync(folder, { recursive: true, force: true });
}

let update = "";

type Words = readonly string[];
interface More {
  readonly cwd?: string;
  readonly home?: string;
  /** What comes before the program: another user, a limit. */
  readonly before?: Words;
}

export class Stage {
  readonly folder: string;
  readonly project: string;
  readonly home: string;
  readonly #locale: string;

  constructor(language: string) {
    const place = freshPlace();
    this.folder = place.folder;
    this.project = place.project;
    this.home = place.home;
    this.#locale = language === "ko" ? "ko_KR.UTF-8" : "C";
    chmodSync(this.folder, 0o755);
  }

  start(program: string, words: Words, { cwd, home, before = [] }: More = {}): Running {
    return start([...before, process.execPath, program, ...words], {
      cwd: cwd ?? this.project,
      locale: this.#locale,
      env: { HOLDFAST_HOME: home ?? this.home },
    });
  }

  run(words: Words, more?: More): Promise<Ended> {
    return this.start(cli, words, more).ended;
  }

  startUpdate(words: Words, more?: More): Running {
    return this.start(update, words, more);
  }

  update(more?: More): Promise<Ended> {
    return this.startUpdate([], more).ended;
  }

  /** The sources' own example of a document. */
  put(...paths: string[]): void {
    for (const path of paths) {
      mkdirSync(dirname(join(this.project, path)), { recursive: true });
      cpSync(join(seeds, "full", path), join(this.project, path));
    }
  }

  /** To whom permissions mean something. */
  give(...paths: string[]): void {
    if (!isRoot) return;
    for (const path of paths) {
      chownSync(path, nobody, nobody);
      for (const name of readdirSync(path, { recursive: true, encoding: "utf8" }))
        chownSync(join(path, name), nobody, nobody);
    }
  }

  /** As the golden texts have it: the same on every machine, whenever. */
  shown({ code, out, err }: Ended): { exit: number | null; text: string } {
    const text = `${err}${out}`
      .replaceAll(join(this.folder, "new-place"), "NEW-PLACE")
      .replaceAll(this.project, "PROJECT")
      .replaceAll(this.home, "HOME")
      .replaceAll(this.folder, "FOLDER")
      // With the particle that the last digit asks for.
      .replaceAll(/(process|프로세스) \d+[이가]?/g, "$1 PID")
      .replaceAll(` on ${self().host}`, " on HOST")
      .replaceAll(`${self().host}의`, "HOST의");
    return { exit: code, text: text.trim() };
  }
}

export const needsNobody = (): string | false =>
  isRoot &&
  spawnSync(asNobody[0] ?? "", [...asNobody.slice(1), process.execPath, cli, "--version"])
    .status !== 0 &&
  "root can not become another user here, or that one can not read this folder";

export const needsTwoUsers = (): string | false =>
  isRoot ? needsNobody() : "only root has two users";

/** How a memory disk is mounted for a few processes alone: as root, or in a namespace. */
let mountWith: string | undefined;

export function needsMount(): string | false {
  mountWith ??= (isRoot ? ["-m", "-Urm"] : ["-Urm"]).find(
    (how) => spawnSync("unshare", [how, "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).status === 0,
  );
  return (
    mountWith === undefined && "no memory disk can be mounted, as root or in a namespace of its own"
  );
}

/** Runs it in a shell whose $disk has one mebibyte; `fill N` leaves N KiB of it free. */
export const onSmallDisk = (disk: string, script: string): Words => [
  "unshare",
  mountWith ?? "",
  "sh",
  "-c",
  `disk=$0; mount -t tmpfs -o size=1m tmpfs "$disk" || exit 99
   fill() {
     free=$(df -k --output=avail "$disk" | tail -n 1)
     dd if=/dev/zero of="$disk/filler" bs=1024 count=$((free - $1)) 2>/dev/null
   }
   ${script}`,
  disk,
];
