// Each situation in which something is wrong, with what the user sees: command, exit code and exact
// words in both languages. docs/troubleshooting.md has the same rows.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { loadDriver } from "../../src/store/database/driver.ts";
import { openSqlite } from "../../src/store/database/sqlite.ts";
import { self } from "../../src/store/identity.ts";
import { type Ended, cli, seeds } from "./program.ts";
import {
  Stage,
  asNobody,
  memory,
  needsMount,
  needsNobody,
  needsTwoUsers,
  nobody,
  onSmallDisk,
  orchestrate,
} from "./stage.ts";

export interface Row {
  readonly rule: string;
  readonly title: string;
  /** As it is typed; “an update” is any command that changes a document. */
  readonly command: string;
  readonly exit: number;
  readonly en: string;
  readonly ko: string;
  /** Says why it can not be tried here. */
  readonly lacks?: () => string | false;
  readonly see: (stage: Stage) => Promise<Ended>;
}

const fresh = async (stage: Stage): Promise<void> => {
  stage.put(memory);
  expect((await stage.update()).code).toBe(0);
};

/** The count is the test program's own word, and no part of what a user sees. */
const counted = (count: number, ended: Ended): Ended => {
  expect(ended.out).toBe(`${count}\n`);
  return { ...ended, out: "" };
};

const locked = async (stage: Stage, content: string): Promise<Ended> => {
  stage.put(memory);
  writeFileSync(join(stage.project, `${memory}.lock`), content);
  return stage.update();
};

/** As SQLite leaves it after a look at a database that was read-only for a while. */
const readOnlyDatabase = async (stage: Stage): Promise<void> => {
  await fresh(stage);
  stage.give(stage.home, stage.project);
  chmodSync(join(stage.home, "holdfast.db"), 0o400);
  expect((await stage.run(["log"], { before: asNobody })).code).toBe(0);
  chmodSync(join(stage.home, "holdfast.db"), 0o600);
};

const isTold = (line = ""): boolean => /^[→✗]/.test(line);

/** Of what `doctor` says: what it did and what is wrong, with what to do. */
const wrong = ({ out, ...ended }: Ended): Ended => {
  const lines = out.split("\n");
  const told = lines.filter(
    (line, at) => isTold(line) || (line.startsWith("    ") && isTold(lines[at - 1])),
  );
  return { ...ended, out: told.join("\n") };
};

/** In the place of a document, whatever else can stand there. */
const strangers: Readonly<Record<string, (path: string) => void>> = {
  folder: (path) => mkdirSync(path),
  link: (path) => symlinkSync(join(seeds, "full", orchestrate), path),
  pipe: (path) => expect(spawnSync("mkfifo", [path]).status).toBe(0),
};

export const rows: readonly Row[] = [
  {
    rule: "S7.5",
    title: "Holdfast's own folder was deleted",
    command: "holdfast log",
    exit: 0,
    en: `Nothing has happened yet.
! The journal in HOME has no record of this project, though it has documents: they were made elsewhere, or that folder was deleted.
    They are as good as before: the next update takes each of them over as it is, and says so.`,
    ko: `아직 아무 일도 없었습니다.
! 이 프로젝트에 문서가 있지만 HOME에는 기록이 없습니다. 다른 곳에서 만든 문서이거나 그 폴더가 지워진 것입니다.
    문서는 그대로 쓸 수 있습니다. 다음 업데이트 때 있는 그대로 받아들이고 알려 드립니다.`,
    see: async (stage) => {
      await fresh(stage);
      rmSync(stage.home, { recursive: true });
      return stage.run(["log"]);
    },
  },
  {
    rule: "S7.5",
    title: "Holdfast's own folder was deleted",
    command: "an update",
    exit: 0,
    en: `! PROJECT/.claude/memory/shared-context.json was not known here; it is taken as it is.`,
    ko: `! PROJECT/.claude/memory/shared-context.json은 처음 보는 파일이라 있는 그대로 받아들였습니다.`,
    see: async (stage) => {
      await fresh(stage);
      rmSync(stage.home, { recursive: true });
      return counted(2, await stage.update());
    },
  },
  {
    rule: "S7.6",
    title: "Holdfast's own folder is deleted while a log is followed",
    command: "holdfast log --follow",
    exit: 3,
    en: `✗ The database HOME/holdfast.db, which was being followed, is gone.
  Run the command again to follow the new one, once there is one.`,
    ko: `✗ 지켜보던 데이터베이스 HOME/holdfast.db가 사라졌습니다.
  새 데이터베이스를 지켜보려면 명령을 다시 실행해 주세요.`,
    see: async (stage) => {
      await fresh(stage);
      const following = stage.start(cli, ["log", "--follow"]);
      await once(following.child.stdout, "data");
      rmSync(stage.home, { recursive: true });
      const ended = await following.ended;
      expect(ended.out).toContain(`document ${stage.project}/${memory}`);
      return { ...ended, out: "" };
    },
  },
  {
    rule: "S4.1",
    title: "The project was moved or renamed",
    command: "holdfast status",
    exit: 0,
    en: `Nothing is under way in NEW-PLACE.

“holdfast init” sets this project up; “holdfast --help” shows what it can do.

! This project was at PROJECT before: 1 document(s) here are as Holdfast left them there. Its tasks and its journal are still filed under that path.
    “holdfast doctor --fix” carries them over; until then they are shown here as well.`,
    ko: `NEW-PLACE에서 진행 중인 작업이 없습니다.

“holdfast init”으로 프로젝트를 준비할 수 있습니다. 할 수 있는 일은 “holdfast --help”에 있습니다.

! 이 프로젝트는 전에 PROJECT에 있었습니다. 문서 1개가 Holdfast가 그곳에 마지막으로 쓴 그대로입니다. 작업과 기록은 아직 그 경로로 저장되어 있습니다.
    “holdfast doctor --fix”로 옮겨 올 수 있습니다. 그때까지는 여기서도 함께 보여 줍니다.`,
    see: async (stage) => {
      await fresh(stage);
      const cwd = join(stage.folder, "new-place");
      renameSync(stage.project, cwd);
      expect((await stage.run(["log"], { cwd })).out).toContain(`${stage.project}/${memory}`);
      return stage.run(["status"], { cwd });
    },
  },
  {
    rule: "S4.1",
    title: "The project was moved or renamed",
    command: "holdfast doctor --fix",
    exit: 0,
    en: `→ This project was at PROJECT before; its tasks and its journal are now filed under NEW-PLACE.`,
    ko: `→ 이 프로젝트는 전에 PROJECT에 있었습니다. 이제 작업과 기록을 NEW-PLACE 경로로 저장합니다.`,
    see: async (stage) => {
      await fresh(stage);
      const cwd = join(stage.folder, "new-place");
      renameSync(stage.project, cwd);
      const ended = await stage.run(["doctor", "--fix"], { cwd });
      expect((await stage.run(["log"], { cwd })).out).toContain(`${stage.project} → ${cwd}`);
      counted(2, await stage.update({ cwd }));
      return wrong(ended);
    },
  },
  {
    rule: "S5.2",
    title: "The project's folder may not be written",
    command: "an update",
    exit: 4,
    en: `✗ PROJECT/.claude/memory/shared-context.json may not be written: EACCES: permission denied
  Check who owns the folder and whether the file system is mounted read-only.`,
    ko: `✗ PROJECT/.claude/memory/shared-context.json에 쓸 수 없습니다: EACCES: permission denied
  폴더의 소유자와 권한, 파일 시스템이 읽기 전용으로 마운트됐는지 확인해 주세요.`,
    lacks: needsNobody,
    see: async (stage) => {
      stage.put(memory);
      mkdirSync(stage.home, { mode: 0o700 });
      stage.give(stage.project, stage.home);
      chmodSync(join(stage.project, ".claude/memory"), 0o500);
      const ended = await stage.update({ before: asNobody });
      expect(readdirSync(join(stage.project, ".claude/memory"))).toEqual(["shared-context.json"]);
      return ended;
    },
  },
  {
    rule: "S5.2",
    title: "The project's folder may not be written",
    command: "holdfast init",
    exit: 4,
    en: `✗ PROJECT/holdfast.yaml may not be written: EACCES: permission denied
  Check who owns the folder and whether the file system is mounted read-only.`,
    ko: `✗ PROJECT/holdfast.yaml에 쓸 수 없습니다: EACCES: permission denied
  폴더의 소유자와 권한, 파일 시스템이 읽기 전용으로 마운트됐는지 확인해 주세요.`,
    lacks: needsNobody,
    see: (stage) => {
      stage.give(stage.project);
      chmodSync(stage.project, 0o500);
      return stage.run(["init"], { before: asNobody });
    },
  },
  {
    rule: "S5.2",
    title: "The project's folder may not be written",
    command: "holdfast doctor --fix",
    exit: 4,
    en: `✗ documents  .claude/memory/task-state.json: PROJECT/.claude/memory/task-state.json may not be written: EACCES: permission denied
    Check who owns the folder and whether the file system is mounted read-only.`,
    ko: `✗ 문서  .claude/memory/task-state.json: PROJECT/.claude/memory/task-state.json에 쓸 수 없습니다: EACCES: permission denied
    폴더의 소유자와 권한, 파일 시스템이 읽기 전용으로 마운트됐는지 확인해 주세요.`,
    lacks: needsNobody,
    see: async (stage) => {
      stage.put(".claude/memory/task-state.json", ".claude/memory/task-history.json");
      mkdirSync(stage.home, { mode: 0o700 });
      stage.give(stage.project, stage.home);
      chmodSync(join(stage.project, ".claude/memory"), 0o500);
      return wrong(await stage.run(["doctor", "--fix"], { before: asNobody }));
    },
  },
  {
    rule: "S7.5",
    title: "Holdfast's own folder may not be written",
    command: "holdfast log",
    exit: 4,
    en: `✗ Holdfast's own folder HOME may not be written; even a look into its database has to.
  “ls -ld” shows whose it is. Or set HOLDFAST_HOME to a folder that you may write.`,
    ko: `✗ Holdfast 폴더 HOME에 쓸 수 없습니다. 데이터베이스는 읽기만 할 때도 쓸 수 있어야 합니다.
  “ls -ld”로 소유자와 권한을 확인하거나, 쓸 수 있는 폴더를 HOLDFAST_HOME에 지정해 주세요.`,
    lacks: needsNobody,
    see: async (stage) => {
      await fresh(stage);
      stage.give(stage.home);
      chmodSync(stage.home, 0o500);
      const ended = await stage.run(["log"], { before: asNobody });
      expect(await stage.update({ before: asNobody })).toEqual(ended);
      chmodSync(stage.home, 0o000);
      expect(await stage.run(["log"], { before: asNobody })).toEqual(ended);
      return ended;
    },
  },
  {
    rule: "S7.5",
    title: "Holdfast's own folder may not be written",
    command: "holdfast doctor --fix",
    exit: 0,
    en: `→ HOME has mode 700 now`,
    ko: `→ HOME의 모드를 700으로 바꿨습니다`,
    lacks: needsNobody,
    see: async (stage) => {
      await fresh(stage);
      stage.give(stage.home);
      chmodSync(stage.home, 0o000);
      return wrong(await stage.run(["doctor", "--fix"], { before: asNobody }));
    },
  },
  {
    rule: "S7.5",
    title: "The database's files may not be written",
    command: "an update",
    exit: 4,
    en: `✗ The database HOME/holdfast.db can not be written: attempt to write a readonly database
  Even a look into it has to write there. Check who owns its folder and the files holdfast.db* in it, and whether the disk is mounted read-only.`,
    ko: `✗ 데이터베이스 HOME/holdfast.db에 쓸 수 없습니다: attempt to write a readonly database
  읽기만 할 때도 쓸 수 있어야 합니다. 폴더와 그 안의 holdfast.db* 파일의 소유자와 권한, 디스크가 읽기 전용으로 마운트되었는지 확인해 주세요.`,
    lacks: needsNobody,
    see: async (stage) => {
      await readOnlyDatabase(stage);
      return stage.update({ before: asNobody });
    },
  },
  {
    rule: "S7.5",
    title: "The database's files may not be written",
    command: "holdfast doctor --fix",
    exit: 0,
    en: `→ HOME/holdfast.db-wal has mode 600 now
→ HOME/holdfast.db-shm has mode 600 now`,
    ko: `→ HOME/holdfast.db-wal의 모드를 600으로 바꿨습니다
→ HOME/holdfast.db-shm의 모드를 600으로 바꿨습니다`,
    lacks: needsNobody,
    see: async (stage) => {
      await readOnlyDatabase(stage);
      const ended = await stage.run(["doctor", "--fix"], { before: asNobody });
      counted(2, await stage.update({ before: asNobody }));
      return wrong(ended);
    },
  },
  {
    rule: "S7.5",
    title: "Holdfast's own folder can not be made",
    command: "an update",
    exit: 4,
    en: `✗ Holdfast's own folder HOME can not be made: EACCES: permission denied
  “ls -ld” shows whose it is. Or set HOLDFAST_HOME to a folder that you may write.`,
    ko: `✗ Holdfast 폴더를 만들 수 없습니다: HOME (EACCES: permission denied)
  “ls -ld”로 소유자와 권한을 확인하거나, 쓸 수 있는 폴더를 HOLDFAST_HOME에 지정해 주세요.`,
    lacks: needsNobody,
    see: async (stage) => {
      chmodSync(stage.folder, 0o555);
      const ended = await stage.update({ before: asNobody });
      chmodSync(stage.folder, 0o755);
      return ended;
    },
  },
  {
    rule: "S7.5",
    title: "HOLDFAST_HOME is a file",
    command: "holdfast log",
    exit: 4,
    en: `✗ HOME should be Holdfast's own folder, but it is a file.
  “ls -ld” shows whose it is. Or set HOLDFAST_HOME to a folder that you may write.`,
    ko: `✗ Holdfast 폴더가 있어야 할 HOME에 파일이 있습니다.
  “ls -ld”로 소유자와 권한을 확인하거나, 쓸 수 있는 폴더를 HOLDFAST_HOME에 지정해 주세요.`,
    see: (stage) => {
      writeFileSync(stage.home, "");
      return stage.run(["log"]);
    },
  },
  {
    rule: "S7.5",
    title: "HOLDFAST_HOME is not a full path",
    command: "holdfast log",
    exit: 2,
    en: `✗ HOLDFAST_HOME is “here”, which would be another folder wherever you are.
  Give it as a full path that begins with “/”.`,
    ko: `✗ HOLDFAST_HOME이 상대 경로 “here”입니다. 현재 위치에 따라 다른 폴더를 가리키게 됩니다.
  “/”로 시작하는 전체 경로로 지정해 주세요.`,
    see: (stage) => stage.run(["log"], { home: "here" }),
  },
  {
    rule: "S7.5",
    title: "Holdfast's own folder lies in the project",
    command: "an update",
    exit: 4,
    en: `✗ Holdfast's own folder PROJECT/.holdfast lies inside the project PROJECT, where agents could change it.
  Go to the project's own folder, or set HOLDFAST_HOME to a folder of yours outside it.`,
    ko: `✗ Holdfast 폴더 PROJECT/.holdfast가 프로젝트 PROJECT 안에 있습니다. 에이전트가 바꿀 수 있는 위치입니다.
  실제 프로젝트 폴더로 옮기거나, 프로젝트 밖에 있는 자신만의 폴더를 HOLDFAST_HOME에 지정해 주세요.`,
    see: async (stage) => {
      stage.put(memory);
      const ended = await stage.update({ home: join(stage.project, ".holdfast") });
      expect(existsSync(join(stage.project, ".holdfast"))).toBe(false);
      return ended;
    },
  },
  {
    rule: "S5.2",
    title: "The disk of the project is full",
    command: "holdfast init",
    exit: 1,
    en: `✗ The disk is full: PROJECT/holdfast.yaml could not be written and is as it was.
  Free some space, then try again.`,
    ko: `✗ 디스크가 가득 차서 PROJECT/holdfast.yaml을 쓰지 못했습니다. 파일은 그대로입니다.
  공간을 확보한 뒤 다시 시도해 주세요.`,
    lacks: needsMount,
    see: async (stage) => {
      const script = `cd "$disk" || exit 98; fill 0; "$@"; code=$?
         ls -A | grep -v filler >&2; exit $code`;
      return stage.run(["init"], { before: onSmallDisk(stage.project, script) });
    },
  },
  {
    rule: "S5.2",
    title: "The disk of Holdfast's own folder is full",
    command: "an update",
    exit: 1,
    en: `✗ The disk is full: HOME/holdfast.db can not grow. The change was not stored, what was there is intact.
  Free some space on that disk, then try again.`,
    ko: `✗ 디스크가 가득 차서 HOME/holdfast.db에 더 쓸 수 없습니다. 이번 변경은 저장되지 않았고 기존 내용은 그대로입니다.
  디스크 공간을 비운 뒤 다시 시도해 주세요.`,
    lacks: needsMount,
    see: async (stage) => {
      stage.put(memory);
      mkdirSync(stage.home, { mode: 0o700 });
      // First as if nothing were wrong; then full; then there is room again.
      const script = `chmod 700 "$disk"
         "$@" 2>/dev/null >&2; fill 36; "$@"; code=$?; rm "$disk/filler"; "$@"; exit $code`;
      const ended = await stage.update({ before: onSmallDisk(stage.home, script) });
      return counted(2, ended);
    },
  },
  {
    rule: "S5.2",
    title: "Files may not grow that large (ulimit)",
    command: "holdfast init",
    exit: 4,
    en: `✗ PROJECT/holdfast.yaml could not be written and is as it was: it would be larger than this process may write.
  “ulimit -f” shows the limit; raise it, then try again.`,
    ko: `✗ 이 프로세스가 쓸 수 있는 크기를 넘어서 PROJECT/holdfast.yaml을 쓰지 못했습니다. 파일은 그대로입니다.
  “ulimit -f”로 한도를 확인하고 늘린 뒤 다시 시도해 주세요.`,
    see: async (stage) => {
      const ended = await stage.run(["init"], {
        before: ["sh", "-c", 'ulimit -f 0; exec "$@"', "sh"],
      });
      expect(readdirSync(stage.project)).toEqual([]);
      return ended;
    },
  },
  {
    rule: "S7.2",
    title: "The output goes to a full disk",
    command: "holdfast status > /dev/full",
    exit: 1,
    en: `✗ The output could not be written: ENOSPC: no space left on device
  Check the file or the disk that it is sent to.`,
    ko: `✗ 출력을 쓸 수 없습니다: ENOSPC: no space left on device
  출력을 보내는 파일이나 디스크를 확인해 주세요.`,
    see: async (stage) => {
      const mute = { before: ["sh", "-c", 'exec "$@" 2> /dev/full', "sh"] };
      expect(await stage.run(["statu"], mute)).toEqual({ code: 2, out: "", err: "" });
      return stage.run(["status"], { before: ["sh", "-c", 'exec "$@" > /dev/full', "sh"] });
    },
  },
  {
    rule: "S5.3",
    title: "Another user changed a document",
    command: "an update",
    exit: 0,
    en: `! PROJECT/.claude/memory/shared-context.json was changed by hand, and the change is taken over: /shared_data/n: 1 → 2`,
    ko: `! PROJECT/.claude/memory/shared-context.json이 직접 수정되어 반영했습니다: /shared_data/n: 1 → 2`,
    lacks: needsTwoUsers,
    see: async (stage) => {
      await fresh(stage);
      const theirs = join(stage.folder, "their-home");
      mkdirSync(theirs, { mode: 0o700 });
      stage.give(theirs);
      // Their group may write: each has a home, and with it a journal, of their own.
      for (const [path, mode] of [
        [dirname(memory), 0o775],
        [memory, 0o664],
      ] as const) {
        chownSync(join(stage.project, path), 0, nobody);
        chmodSync(join(stage.project, path), mode);
      }
      expect(await stage.update({ before: asNobody, home: theirs })).toMatchObject({ code: 0 });
      const ended = counted(3, await stage.update());
      const log = (await stage.run(["log"], { before: asNobody, home: theirs })).out;
      expect(log.split("\n").filter((line) => line.includes(memory))).toHaveLength(1);
      return ended;
    },
  },
  {
    rule: "S7.2",
    title: "A document may not be read",
    command: "holdfast status orchestrate",
    exit: 4,
    en: `PROJECT

Not readable:
  PROJECT/.claude/orchestrate-state.json may not be read by this user.
    “ls -ld PROJECT/.claude/orchestrate-state.json” shows whose it is; its owner can allow it with chmod.`,
    ko: `PROJECT

읽을 수 없는 파일:
  PROJECT/.claude/orchestrate-state.json을 읽을 권한이 없습니다.
    “ls -ld PROJECT/.claude/orchestrate-state.json”으로 소유자를 확인해 주세요. 소유자가 chmod로 허용할 수 있습니다.`,
    lacks: needsNobody,
    see: (stage) => {
      stage.put(orchestrate);
      chmodSync(join(stage.project, orchestrate), 0o000);
      return stage.run(["status", "orchestrate"], { before: asNobody });
    },
  },
  {
    rule: "S7.2",
    title: "A document may not be read",
    command: "holdfast why T1.3",
    exit: 3,
    en: `✗ Nothing in this project has the id “T1.3”.
  It may be in a file that can not be read. PROJECT/.claude/orchestrate-state.json may not be read by this user.`,
    ko: `✗ 이 프로젝트에 id가 “T1.3”인 것은 없습니다.
  읽을 수 없는 파일 안에 있을 수 있습니다. PROJECT/.claude/orchestrate-state.json을 읽을 권한이 없습니다.`,
    lacks: needsNobody,
    see: (stage) => {
      stage.put(orchestrate);
      chmodSync(join(stage.project, ".claude"), 0o000);
      return stage.run(["why", "T1.3"], { before: asNobody });
    },
  },
  {
    rule: "S7.2",
    title: "A document may not be read",
    command: "an update",
    exit: 4,
    en: `✗ PROJECT/.claude/memory/shared-context.json may not be read by this user.
  “ls -ld PROJECT/.claude/memory/shared-context.json” shows whose it is; its owner can allow it with chmod.`,
    ko: `✗ PROJECT/.claude/memory/shared-context.json을 읽을 권한이 없습니다.
  “ls -ld PROJECT/.claude/memory/shared-context.json”으로 소유자를 확인해 주세요. 소유자가 chmod로 허용할 수 있습니다.`,
    lacks: needsNobody,
    see: (stage) => {
      stage.put(memory);
      mkdirSync(stage.home, { mode: 0o700 });
      stage.give(stage.project, stage.home);
      chmodSync(join(stage.project, memory), 0o000);
      return stage.update({ before: asNobody });
    },
  },
  {
    rule: "S7.2",
    title: "A folder of documents may not be read",
    command: "holdfast doctor",
    exit: 6,
    en: `✗ documents  .claude/memory: PROJECT/.claude/memory may not be read by this user.
    “ls -ld PROJECT/.claude/memory” shows whose it is; its owner can allow it with chmod.
✗ documents  .claude/orchestrate-state.json: the JSON ends too early, as if the file were cut off
    “holdfast validate .claude/orchestrate-state.json” shows every problem in it; “holdfast doctor --fix” keeps it aside and puts the last sound version in its place.`,
    ko: `✗ 문서  .claude/memory: PROJECT/.claude/memory를 읽을 권한이 없습니다.
    “ls -ld PROJECT/.claude/memory”로 소유자를 확인해 주세요. 소유자가 chmod로 허용할 수 있습니다.
✗ 문서  .claude/orchestrate-state.json: JSON이 중간에 끝납니다. 파일이 잘린 것 같습니다
    “holdfast validate .claude/orchestrate-state.json”으로 모든 문제를 볼 수 있습니다. “holdfast doctor --fix”를 실행하면 이 파일을 따로 보관하고 마지막 정상 버전으로 바꿉니다.`,
    lacks: needsNobody,
    see: async (stage) => {
      stage.put(memory, orchestrate);
      truncateSync(join(stage.project, orchestrate), 100);
      chmodSync(join(stage.project, dirname(memory)), 0o000);
      return wrong(await stage.run(["doctor"], { before: asNobody }));
    },
  },
  {
    rule: "S2.7",
    title: "Another process holds a document",
    command: "an update",
    exit: 5,
    en: `✗ PROJECT/.claude/memory/shared-context.json.lock is held by process PID on HOST.
  Try again when that process is done.`,
    ko: `✗ PROJECT/.claude/memory/shared-context.json.lock를 HOST의 프로세스 PID 잡고 있습니다.
  그 프로세스가 끝난 뒤 다시 시도해 주세요.`,
    see: (stage) =>
      locked(stage, JSON.stringify({ holdfast: 1, token: "aa", took: [], process: self() })),
  },
  {
    rule: "S2.7",
    title: "A lock lies there that names nobody",
    command: "an update",
    exit: 5,
    en: `✗ PROJECT/.claude/memory/shared-context.json.lock is held by a program that left no name.
  If no other program is at work, “holdfast doctor --fix” removes the lock.`,
    ko: `✗ PROJECT/.claude/memory/shared-context.json.lock를 이름을 남기지 않은 프로그램이 잡고 있습니다.
  다른 프로그램이 작업 중이 아니라면 “holdfast doctor --fix”로 잠금을 지울 수 있습니다.`,
    see: (stage) => locked(stage, ""),
  },
  {
    rule: "S5.4",
    title: "A folder, a link or a pipe stands in a document's place",
    command: "holdfast status orchestrate",
    exit: 4,
    en: `PROJECT

Not readable:
  PROJECT/.claude/orchestrate-state.json is not a regular file (a link, folder or device): it is not read.
    Look what it is, then put a plain file in its place or move it away.`,
    ko: `PROJECT

읽을 수 없는 파일:
  PROJECT/.claude/orchestrate-state.json은 일반 파일이 아니라(링크, 폴더, 장치) 읽지 않습니다.
    무엇인지 확인하고, 일반 파일로 바꾸거나 다른 곳으로 옮겨 주세요.`,
    see: async (stage) => {
      const path = join(stage.project, orchestrate);
      mkdirSync(dirname(path));
      const seen: Ended[] = [];
      for (const make of Object.values(strangers)) {
        make(path);
        seen.push(await stage.run(["status", "orchestrate"]));
        rmSync(path, { recursive: true });
      }
      expect(seen).toEqual(seen.map(() => seen[0]));
      return seen[0] as Ended;
    },
  },
  {
    rule: "S5.4",
    title: "A folder, a link or a pipe stands in a document's place",
    command: "an update",
    exit: 4,
    en: `✗ PROJECT/.claude/memory/shared-context.json is not a regular file (a link, folder or device): it is not read.
  Look what it is, then put a plain file in its place or move it away.`,
    ko: `✗ PROJECT/.claude/memory/shared-context.json은 일반 파일이 아니라(링크, 폴더, 장치) 읽지 않습니다.
  무엇인지 확인하고, 일반 파일로 바꾸거나 다른 곳으로 옮겨 주세요.`,
    see: async (stage) => {
      const path = join(stage.project, memory);
      mkdirSync(dirname(path), { recursive: true });
      const seen: Ended[] = [];
      for (const make of Object.values(strangers)) {
        make(path);
        seen.push(await stage.update());
        rmSync(path, { recursive: true });
      }
      expect(seen).toEqual(seen.map(() => seen[0]));
      return seen[0] as Ended;
    },
  },
  {
    rule: "S5.4",
    title: "A folder, a link or a pipe stands in a document's place",
    command: "holdfast doctor",
    exit: 4,
    en: `✗ documents  .claude/orchestrate-state.json: PROJECT/.claude/orchestrate-state.json is not a regular file (a link, folder or device): it is not read.
    Look what it is and move it away; nothing of Holdfast touches it. “holdfast doctor --fix” then brings back the last version that Holdfast knows, if there is one.`,
    ko: `✗ 문서  .claude/orchestrate-state.json: PROJECT/.claude/orchestrate-state.json은 일반 파일이 아니라(링크, 폴더, 장치) 읽지 않습니다.
    무엇인지 확인하고 직접 다른 곳으로 옮겨 주세요. Holdfast는 건드리지 않습니다. 그런 다음 “holdfast doctor --fix”를 실행하면 Holdfast가 아는 마지막 버전이 있을 경우 되살립니다.`,
    see: async (stage) => {
      const path = join(stage.project, orchestrate);
      mkdirSync(dirname(path));
      const seen: Ended[] = [];
      for (const make of Object.values(strangers)) {
        make(path);
        seen.push(wrong(await stage.run(["doctor"])));
        expect(wrong(await stage.run(["doctor", "--fix"]))).toEqual(seen[0]);
        rmSync(path, { recursive: true });
      }
      expect(seen).toEqual(seen.map(() => seen[0]));
      return seen[0] as Ended;
    },
  },
  {
    rule: "S5.4",
    title: "A document of 100 MB",
    command: "holdfast status orchestrate",
    exit: 4,
    en: `PROJECT

Not readable:
  PROJECT/.claude/orchestrate-state.json is too large: 104857600 bytes are more than the 33554432 allowed for it.
    Look what was written there, then move it away.`,
    ko: `PROJECT

읽을 수 없는 파일:
  PROJECT/.claude/orchestrate-state.json이 너무 큽니다. 104857600바이트로, 허용된 33554432바이트를 넘습니다.
    무엇이 쓰였는지 확인하고 다른 곳으로 옮겨 주세요.`,
    see: (stage) => {
      stage.put(orchestrate);
      truncateSync(join(stage.project, orchestrate), 100 * 1024 * 1024);
      return stage.run(["status", "orchestrate"]);
    },
  },
  {
    rule: "S5.4",
    title: "A document of 100 MB",
    command: "an update",
    exit: 4,
    en: `✗ PROJECT/.claude/memory/shared-context.json is too large: 104857600 bytes are more than the 33554432 allowed for it.
  Look what was written there, then move it away.`,
    ko: `✗ PROJECT/.claude/memory/shared-context.json이 너무 큽니다. 104857600바이트로, 허용된 33554432바이트를 넘습니다.
  무엇이 쓰였는지 확인하고 다른 곳으로 옮겨 주세요.`,
    see: async (stage) => {
      await fresh(stage);
      truncateSync(join(stage.project, memory), 100 * 1024 * 1024);
      return stage.update();
    },
  },
  {
    rule: "S7.2",
    title: "A document was written by a newer Holdfast",
    command: "holdfast status orchestrate",
    exit: 4,
    en: `PROJECT

Not readable:
  .claude/orchestrate-state.json: /version: version 9.0 is newer than the 2.0 this Holdfast knows; update Holdfast`,
    ko: `PROJECT

읽을 수 없는 파일:
  .claude/orchestrate-state.json: /version: 버전 9.0은 이 Holdfast가 아는 2.0보다 새 버전입니다. Holdfast를 업데이트해 주세요`,
    see: (stage) => {
      stage.put(orchestrate);
      const path = join(stage.project, orchestrate);
      writeFileSync(path, readFileSync(path, "utf8").replace('"2.0"', '"9.0"'));
      return stage.run(["status", "orchestrate"]);
    },
  },
  {
    rule: "S5.3",
    title: "A document was written by a newer Holdfast",
    command: "an update",
    exit: 4,
    en: `✗ PROJECT/.claude/memory/shared-context.json was left as it is: /version: version 2.0 is newer than the 1.0 this Holdfast knows; update Holdfast`,
    ko: `✗ PROJECT/.claude/memory/shared-context.json은 그대로 두었습니다. /version: 버전 2.0은 이 Holdfast가 아는 1.0보다 새 버전입니다. Holdfast를 업데이트해 주세요`,
    see: async (stage) => {
      await fresh(stage);
      const path = join(stage.project, memory);
      const newer = {
        ...(JSON.parse(readFileSync(path, "utf8")) as object),
        version: "2.0",
        more: 1,
      };
      writeFileSync(path, JSON.stringify(newer));
      const ended = await stage.update();
      expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(newer);
      expect(existsSync(join(stage.home, "quarantine"))).toBe(false);
      return ended;
    },
  },
  {
    rule: "S7.2",
    title: "The database was written by a newer Holdfast",
    command: "holdfast log",
    exit: 4,
    en: `✗ HOME/holdfast.db was written by a newer Holdfast: its schema is 999, this version knows 6.
  Update Holdfast. The database was left as it is.`,
    ko: `✗ HOME/holdfast.db는 더 새로운 Holdfast가 쓴 데이터베이스입니다. 스키마는 999인데 이 버전은 6까지만 압니다.
  Holdfast를 업데이트해 주세요. 데이터베이스는 건드리지 않았습니다.`,
    see: async (stage) => {
      const file = join(stage.home, "holdfast.db");
      await (await openSqlite(file)).close();
      const database = loadDriver()(file);
      database.exec("pragma user_version = 999");
      database.close();
      return stage.run(["log"]);
    },
  },
  {
    rule: "S7.2",
    title: "A document is damaged",
    command: "holdfast status orchestrate",
    exit: 6,
    en: `PROJECT

Not readable:
  .claude/orchestrate-state.json: the JSON ends too early, as if the file were cut off
    “holdfast validate .claude/orchestrate-state.json” shows every problem in it.`,
    ko: `PROJECT

읽을 수 없는 파일:
  .claude/orchestrate-state.json: JSON이 중간에 끝납니다. 파일이 잘린 것 같습니다
    “holdfast validate .claude/orchestrate-state.json”으로 모든 문제를 볼 수 있습니다.`,
    see: (stage) => {
      stage.put(orchestrate);
      truncateSync(join(stage.project, orchestrate), 100);
      return stage.run(["status", "orchestrate"]);
    },
  },
  {
    rule: "S7.2",
    title: "The database is damaged",
    command: "holdfast log",
    exit: 6,
    en: `✗ The database HOME/holdfast.db is damaged: file is not a database
  Copy HOME/holdfast.db and HOME/holdfast.db-wal to a safe place before anything else; do not delete them.`,
    ko: `✗ 데이터베이스 HOME/holdfast.db가 손상되었습니다: file is not a database
  먼저 HOME/holdfast.db와 HOME/holdfast.db-wal을 안전한 곳에 복사해 두고, 지우지 마세요.`,
    see: (stage) => {
      mkdirSync(stage.home, { mode: 0o700 });
      writeFileSync(join(stage.home, "holdfast.db"), Buffer.alloc(8192, 0x55));
      return stage.run(["log"]);
    },
  },
  {
    rule: "S7.5",
    title: "You come to the project through a link",
    command: "holdfast status",
    exit: 0,
    en: `Nothing is under way in PROJECT.

“holdfast init” sets this project up; “holdfast --help” shows what it can do.`,
    ko: `PROJECT에서 진행 중인 작업이 없습니다.

“holdfast init”으로 프로젝트를 준비할 수 있습니다. 할 수 있는 일은 “holdfast --help”에 있습니다.`,
    see: async (stage) => {
      await fresh(stage);
      const cwd = join(stage.folder, "link");
      symlinkSync(stage.project, cwd);
      expect(await stage.update({ cwd })).toEqual({ code: 0, out: "2\n", err: "" });
      return stage.run(["status", "--cwd", cwd]);
    },
  },
  {
    rule: "S7.2",
    title: "The folder you are in was deleted",
    command: "holdfast status",
    exit: 3,
    en: `✗ The folder you are in does not exist any more.
  Go to another folder, or name one with --cwd and its full path.`,
    ko: `✗ 현재 폴더가 더는 없습니다.
  다른 폴더로 옮기거나 --cwd에 전체 경로를 지정해 주세요.`,
    see: async (stage) => {
      const gone = ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh"];
      const before = { before: gone };
      const ended = await stage.run(["status"], before);
      mkdirSync(stage.project);
      const named = await stage.run(["status", "--cwd", stage.folder], before);
      expect(named).toMatchObject({ code: 0, err: "" });
      return ended;
    },
  },
  {
    rule: "S7.2",
    title: "There is no such folder",
    command: "holdfast status --cwd nowhere",
    exit: 3,
    en: `✗ There is no folder PROJECT/nowhere.
  Check the path after --cwd.`,
    ko: `✗ PROJECT/nowhere 폴더가 없습니다.
  --cwd에 지정한 경로를 확인해 주세요.`,
    see: (stage) => stage.run(["status", "--cwd", "nowhere"]),
  },
];
