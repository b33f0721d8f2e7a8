// What a user sees when things go wrong: the real program in each situation (troubles.ts), with its
// exact words and exit code in both languages.
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience } from "../patience.ts";
import { root } from "./program.ts";
import { Stage, asNobody, bundleUpdate, memory, needsTwoUsers } from "./stage.ts";
import { rows } from "./troubles.ts";

let remove = (): void => {};
beforeAll(async () => {
  remove = await bundleUpdate();
});
afterAll(() => remove());

/** Several lines in one cell of a table. */
const cell = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("<br>");

describe("what a user sees when things go wrong", () => {
  for (const row of rows) {
    test(`${row.rule} ${row.title}: ${row.command} exits ${row.exit}`, async ({ skip }) => {
      const lack = row.lacks?.() ?? false;
      skip(lack !== false, lack || "");
      const languages = ["en", "ko"] as const;
      const stages = languages.map((language) => new Stage(language));
      const seen = await Promise.all(
        stages.map(async (stage) => stage.shown(await row.see(stage))),
      );
      expect(seen).toEqual(languages.map((language) => ({ exit: row.exit, text: row[language] })));
    });
  }

  test("S2.7 the lock of another user is waited for, and both updates are in the file", async ({
    skip,
  }) => {
    const lack = needsTwoUsers();
    skip(lack !== false, lack || "");
    const stage = new Stage("en");
    const theirs = join(stage.folder, "their-home");
    mkdirSync(theirs, { mode: 0o700 });
    stage.put(memory);
    stage.give(theirs, stage.project);
    const holding = stage.startUpdate(["--hold"], { before: asNobody, home: theirs });
    await once(holding.child.stdout, "data");
    const waiting = stage.startUpdate([]);
    // It has come as far as the lock once its own name lies beside the document.
    const deadline = Date.now() + patience;
    const names = (): string[] => readdirSync(join(stage.project, dirname(memory)));
    while (!names().some((name) => name.endsWith(".own"))) {
      if (Date.now() > deadline) throw new Error("it never came to the lock");
      await pause(5);
    }
    holding.child.stdin.write("\n");
    expect(await holding.ended).toMatchObject({ code: 0, out: "inside\n1\n" });
    expect(await waiting.ended).toMatchObject({ code: 0, out: "2\n" });
  });

  test("S7.2 docs/troubleshooting.md has exactly these rows, each with what to do", () => {
    const text = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");
    const lines = text.split("\n");
    const head = lines.findIndex((line) => line.startsWith("| situation |"));
    const cells = lines
      .slice(head + 2)
      .filter((line) => line !== "")
      .map((line) => line.slice(2, -2).split(" | "));
    expect(cells.map(([title, command, exit, seen]) => [title, command, exit, seen])).toEqual(
      rows.map(({ title, command, exit, en }) => [
        title,
        command.startsWith("holdfast") ? `\`${command}\`` : command,
        String(exit),
        cell(en),
      ]),
    );
    expect(cells.filter(([, , , , what]) => (what ?? "").trim() === "")).toEqual([]);
  });
});
