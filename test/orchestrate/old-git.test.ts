// A git that is too old for what we rely on (S2.6, `merge-tree --write-tree`) is refused by name before anything
// begins.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { holdfast } from "../cli/program.ts";
import { repository } from "./repository.ts";

test("S2.6 init, doctor and each start say which git is there and which one is needed", () => {
  const made = repository("# One\n- [ ] T0.1: a\n");
  const bin = join(made.folder, "old");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.34.1\n");
  chmodSync(join(bin, "git"), 0o755);
  const env = { ...made.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const call = (...words: string[]) => holdfast(words, { cwd: made.project, env });
  for (const words of [
    ["init"],
    ["orchestrate", "--in-session"],
    ["orchestrate", "--agent", "sample"],
  ]) {
    const { code, err } = call(...words);
    expect([words, code, err]).toEqual([words, 4, expect.stringContaining("2.34.1")]);
    expect(err).toContain("2.39");
  }
  const { out } = call("doctor");
  expect(out).toContain("2.34.1");
});
