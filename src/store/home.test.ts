import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Fault } from "../core/errors.ts";
import { checkHome, homeOf, lookAtHome, makeHome } from "./home.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-home-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refusal = (act: () => void): Fault => {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
};

describe("the home folder", () => {
  test("S7.5 is $HOLDFAST_HOME, else in $XDG_DATA_HOME, else in ~/.local/share", () => {
    expect(homeOf({ HOLDFAST_HOME: "/a/b/", XDG_DATA_HOME: "/x", HOME: "/h" })).toEqual({
      path: "/a/b",
      from: "HOLDFAST_HOME",
      database: "/a/b/holdfast.db",
      quarantine: "/a/b/quarantine",
    });
    expect(homeOf({ HOLDFAST_HOME: "", XDG_DATA_HOME: "/x" }).path).toBe("/x/holdfast");
    expect(homeOf({ XDG_DATA_HOME: "not/absolute", HOME: "/h" })).toMatchObject({
      path: "/h/.local/share/holdfast",
      from: "default",
    });
  });

  test("S7.5 a relative one is refused: it would be another one in every folder", () => {
    const fault = refusal(() => homeOf({ HOLDFAST_HOME: "here" }));
    expect(fault.code).toBe("invalid_input");
    expect(fault.message).toContain("here");
  });

  test("S7.5 it is made 0700 whatever the umask says, and looked at without being made", () => {
    const home = homeOf({ HOLDFAST_HOME: join(folder, "deep/home") });
    expect(lookAtHome(home)).toEqual({ exists: false, mode: 0, writable: false, database: false });
    const umask = process.umask(0o277);
    try {
      mkdirSync(join(folder, "deep"), { mode: 0o700 });
      chmodSync(join(folder, "deep"), 0o700);
      makeHome(home);
    } finally {
      process.umask(umask);
    }
    expect(statSync(home.path).mode & 0o777).toBe(0o700);
    expect(lookAtHome(home)).toMatchObject({ exists: true, mode: 0o700, writable: true });
  });

  test("S7.5 inside the project it is refused, also through a link and before it exists", () => {
    const root = join(folder, "project");
    mkdirSync(root);
    symlinkSync(root, join(folder, "link"));
    for (const path of [root, join(root, "a/b"), join(folder, "link/home")]) {
      const fault = refusal(() => checkHome(homeOf({ HOLDFAST_HOME: path }), root));
      expect(fault.code).toBe("refused");
      expect(fault.message).toContain(root);
      expect(fault.hint).toBeDefined();
    }
    // A folder whose name merely begins alike is another one.
    checkHome(homeOf({ HOLDFAST_HOME: `${root}-home` }), root);
  });

  test("S7.5 a link that others may replace is refused; one of ours is followed", () => {
    const open = join(folder, "open");
    const target = join(folder, "target");
    mkdirSync(open);
    mkdirSync(target);
    symlinkSync(target, join(open, "home"));
    symlinkSync(join(open, "home"), join(folder, "second"));
    chmodSync(open, 0o755);
    checkHome(homeOf({ HOLDFAST_HOME: join(folder, "second/x") }), "/elsewhere");
    chmodSync(open, 0o777);
    for (const path of [join(open, "home/x"), join(folder, "second")]) {
      const fault = refusal(() => checkHome(homeOf({ HOLDFAST_HOME: path }), "/elsewhere"));
      expect(fault.code).toBe("refused");
      expect(fault.message).toContain(join(open, "home"));
    }
    // With the sticky bit, as /tmp has it, nobody else can replace it.
    chmodSync(open, 0o1777);
    checkHome(homeOf({ HOLDFAST_HOME: join(open, "home/x") }), "/elsewhere");
  });

  test("a circle of links is refused, not followed for ever", () => {
    symlinkSync(join(folder, "b"), join(folder, "a"));
    symlinkSync(join(folder, "a"), join(folder, "b"));
    expect(
      refusal(() => checkHome(homeOf({ HOLDFAST_HOME: join(folder, "a/x") }), "/e")).code,
    ).toBe("refused");
  });
});
