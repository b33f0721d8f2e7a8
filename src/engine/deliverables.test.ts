import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { put } from "../../test/engine/project.ts";
import { findPlaceholders, hasOnlyHeadings } from "../core/placeholders.ts";
import { makeTrees, takeTree } from "../git/snapshot.ts";
import { artefactsHash, lookAtDeliverables, lookAtStored, stepName } from "./deliverables.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "holdfast-deliverables-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, content: string | Uint8Array): void =>
  put(join(folder, path), content);
const look = async (path: string) => (await lookAtDeliverables(folder, [{ path }]))[0];

describe("S1.14 a declared file", () => {
  test("is there, with its characters as a reader counts them", async () => {
    write("docs/a.md", "  # 제목\n\n\n  두   단어  \n");
    expect(await look("docs/a.md")).toEqual({
      path: "docs/a.md",
      present: true,
      kind: "file",
      bytes: 30,
      characters: "# 제목 두 단어".length,
      placeholders: [],
      onlyHeadings: false,
    });
    write("b.md", "가나다".normalize("NFD"));
    expect(await look("b.md")).toMatchObject({ characters: 3 });
    write("c.md", "😀");
    expect(await look("c.md")).toMatchObject({ characters: 1 });
  });

  test("that is missing, or a folder with nothing in it, is not present", async () => {
    mkdirSync(join(folder, "src/empty"), { recursive: true });
    expect(await look("a.md")).toMatchObject({ present: false, kind: "missing" });
    expect(await look("src/")).toMatchObject({ present: false, kind: "folder" });
    write("src/empty/main.ts", "x");
    expect(await look("src/")).toMatchObject({ present: true, bytes: 1 });
    write("file", "x");
    expect(await look("file/below.md")).toMatchObject({ present: false, kind: "missing" });
  });

  test("that is no text has no characters", async () => {
    write("image.png", Uint8Array.of(0x89, 0x50, 0, 1));
    write("latin.txt", Uint8Array.of(0xe9, 0xe8));
    expect(await look("image.png")).toMatchObject({ present: true, characters: null });
    expect(await look("latin.txt")).toMatchObject({ present: true, characters: null });
  });

  test("S5.4 is never reached through a link, a pipe or a way out", async () => {
    mkdirSync(join(folder, "inside"));
    writeFileSync(join(folder, "..", `outside-${process.pid}`), "x");
    symlinkSync("/etc/passwd", join(folder, "link.md"));
    symlinkSync("/etc", join(folder, "etc"));
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    expect(await look("link.md")).toMatchObject({ present: false, kind: "link" });
    expect(await look("etc/passwd")).toMatchObject({ present: false, kind: "outside" });
    expect(await look("pipe.md")).toMatchObject({ present: false, kind: "special" });
    for (const path of [
      `../outside-${process.pid}`,
      "inside/../../x",
      "/etc/passwd",
      "a\0b",
      "",
      ".",
    ])
      expect(await look(path)).toMatchObject({ present: false, kind: "outside" });
    rmSync(join(folder, "..", `outside-${process.pid}`));
  });

  test("S5.4 of a huge size is not read into memory", async () => {
    write("huge.md", "x");
    truncateSync(join(folder, "huge.md"), 3 * 1024 ** 3);
    expect(await look("huge.md")).toMatchObject({ present: true, characters: null });
  });

  test("S1.21b names a step", () => {
    expect(stepName("docs/planning/03_users.md")).toBe("03_users");
    expect(stepName("README")).toBe("README");
    expect(stepName(".env")).toBe(".env");
  });
});

describe("S1.14 placeholders", () => {
  test.each([
    "TODO",
    "- TODO",
    "# Users\n\nTBD",
    "TODO: describe the users",
    "- [ ] TODO: write this",
    "**TODO**: 사용자 조사 결과 정리",
    "FIXME - numbers are missing",
    "The price is [TBD].",
    "Owner: TBD",
    "| Price | TBD |",
    "See [TODO: link].",
    "[INSERT DIAGRAM]",
    "[insert your name here]",
    "[Your company here]",
    "<placeholder>",
    "<!-- TODO add a diagram -->",
    "{{content}}",
    "To be determined.",
    "*Coming soon…*",
    "Fill in later",
    "Lorem ipsum dolor sit amet, consectetur",
    "작성 예정",
    "(추후 작성)",
    "- 추후 작성 예정입니다.",
    "내용 작성 필요",
    "이 섹션은 추후 작성 예정입니다.",
    "[...내용...]",
    "[… 상세 설명 …]",
    "[여기에 내용을 입력하세요]",
    "여기에 내용을 작성하세요.",
    "| 담당자 | 추후 결정 |",
  ])("%j is one", (text) => {
    expect(findPlaceholders(`Some text.\n\n${text}\n`)).toHaveLength(1);
  });

  test.each([
    "# TODO list app",
    "The app is a to-do list. Each todo has a title.",
    "Users add TODOs with one tap; a TODO is shown in the list.",
    "TODO 앱은 할 일을 관리합니다.",
    "A task is TODO, DOING or DONE.",
    "- TODO: not begun\n- DOING: at work\n- DONE: finished",
    "| TODO | IN PROGRESS | DONE |",
    "Run `grep -rn TODO src` to find what is left.",
    "```\n// TODO: in an example\nTBD\n```",
    "~~~md\n[TODO]\n~~~",
    "[TODO](todo.md) is the list.",
    "[TBD]: https://example.org",
    "- [ ] Write tests\n- [x] Deploy",
    "The button [내용 추가] opens a form; [저장] keeps it.",
    "입력창에는 “검색어를 입력하세요”가 보입니다.",
    "보고서 작성 예정일은 3월입니다.",
    "매주 보고서를 작성할 예정인 사용자를 위한 기능입니다.",
    "| 3월 | 보고서 작성 예정 |",
    "출시일은 미정입니다.",
    "The placeholder of the field says “Search”.",
    "Text like lorem ipsum is not allowed.",
    "He waited... and then it began.",
    "“[…] the rest of the quotation.”",
    "INSERT INTO users VALUES (1); see [INSERT | UPDATE].",
    "Coming soon to Asia: the app in Korean.",
    "Use <T> for the type and <your-name> for yours.",
    "WIP limits keep the board short.",
    "FIXME comments are counted by the linter.",
  ])("%j is none", (text) => {
    expect(findPlaceholders(`Some text.\n\n${text}\n`)).toEqual([]);
  });

  test("are named with their line, the first few only", () => {
    const text = `one\r\ntwo [TBD]\r\n${"TODO\n".repeat(100)}`;
    const found = findPlaceholders(text);
    expect(found[0]).toEqual({ line: 2, found: "[TBD]" });
    expect(found).toHaveLength(5);
  });

  test("headings with nothing below them are one too", () => {
    expect(hasOnlyHeadings("# A\n\n## B\n<!-- to fill -->\n---\n### C\n")).toBe(true);
    expect(hasOnlyHeadings("# A\n\n## B\n\ntext\n")).toBe(false);
    expect(hasOnlyHeadings("")).toBe(false);
    expect(hasOnlyHeadings("#!/bin/sh\n")).toBe(false);
    expect(hasOnlyHeadings("<!-- # A")).toBe(false);
  });

  test("are looked for in prose, not in code", async () => {
    write("main.ts", "// TODO: later\nexport {};\n");
    write("README.md", "TODO\n");
    expect(await look("main.ts")).toMatchObject({ placeholders: [] });
    expect(await look("README.md")).toMatchObject({ placeholders: [{ line: 1, found: "TODO" }] });
  });

  test("a text made to be slow is not: lines are bounded, and each is looked at once", () => {
    const nasty = [
      "`".repeat(100_000),
      "<!--".repeat(100_000),
      "[TODO ".repeat(50_000),
      "> ".repeat(100_000),
    ];
    for (const text of nasty) {
      expect(findPlaceholders(`${text}\n`.repeat(3)).length).toBeLessThanOrEqual(5);
      expect(hasOnlyHeadings(`# A\n${text}`)).toBe(false);
    }
  });
});

let seq = 0;
const store = async () => {
  const trees = { repository: `${folder}.git`, workTree: folder };
  await makeTrees(trees, null);
  return { trees, ...(await takeTree({ trees, seq: ++seq, at: 0 })) };
};

describe("S1.6 what a snapshot holds of declared files", () => {
  test("is looked at as in the folder, and stays what it is when the folder is something else", async () => {
    write("docs/a.md", "# 제목\n\nText with [TODO: more]\n");
    write("docs/b/c.md", "c");
    write("docs/node_modules/x.js", "x");
    write("head.md", "# Only\n");
    write("image.png", Uint8Array.of(0x89, 0x50, 0, 1));
    write("large.txt", "x".repeat(5 * 1024 * 1024));
    symlinkSync("head.md", join(folder, "link.md"));
    const names = ["docs/a.md", "docs/", "head.md", "image.png", "large.txt", "link.md", "gone.md"];
    const declared = names.map((path) => ({ path }));
    const live = await lookAtDeliverables(folder, declared);
    const { trees, commit } = await store();
    expect(await lookAtStored(trees, commit, declared)).toEqual(live);
    rmSync(folder, { recursive: true });
    symlinkSync(tmpdir(), folder);
    expect(await lookAtStored(trees, commit, declared)).toEqual(live);
    expect(await lookAtStored(trees, commit, [])).toEqual([]);
    rmSync(trees.repository, { recursive: true });
  });
});

describe("threat 13: what an approval is bound to", () => {
  const declared = [{ path: "b.md" }, { path: "docs/" }, { path: "a.md" }];
  const hash = async (): Promise<string> => artefactsHash((await store()).tree, declared);
  beforeEach(() => {
    write("a.md", "a");
    write("b.md", "b");
    write("docs/c.md", "c");
  });
  afterEach(() => rmSync(`${folder}.git`, { recursive: true, force: true }));

  test("is the same for the same files, whatever their order or times", async () => {
    const first = await hash();
    write("a.md", "a");
    expect(await hash()).toBe(first);
    expect(artefactsHash((await store()).tree, declared.toReversed())).toBe(first);
    expect(artefactsHash((await store()).tree, declared.slice(1))).not.toBe(first);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
  });

  test("changes with any content, name, mode or kind, and with any other file of the tree", async () => {
    const seen = new Set([await hash()]);
    const changes: (() => void)[] = [
      () => write("a.md", "A"),
      () => write("docs/c.md", "C"),
      () => write("docs/d.md", ""),
      () => write("other", ""),
      () => chmodSync(join(folder, "b.md"), 0o755),
      () => rmSync(join(folder, "b.md")),
      () => symlinkSync("a.md", join(folder, "b.md")),
      () => {
        rmSync(join(folder, "b.md"));
        write("b.md/inside", "");
      },
      () => rmSync(join(folder, "docs"), { recursive: true }),
    ];
    for (const change of changes) {
      change();
      seen.add(await hash());
    }
    expect(seen.size).toBe(1 + changes.length);
  });
});
