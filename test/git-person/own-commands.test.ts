// What of a person's own git a run leaves aside is reported before anything starts (S2.6).
import { expect, test } from "vitest";
import { start } from "../cli/program.ts";
import { limit } from "../crash/programs.ts";
import { hook } from "./_scenes-own-commands.ts";
import { type Person, person } from "./person.ts";

const begun = (settings: string): Person => {
  const who = person({ name: "skipped", acts: [], settings });
  hook(who, "pre-commit", "exit 1");
  hook(who, "post-merge", "exit 1");
  hook(who, "commit-msg.sample", "exit 1");
  who.git("config", "commit.gpgSign", "true");
  return who;
};

const said = async (who: Person, words: readonly string[], language: string): Promise<string> => {
  const asked = who.words(...words, "--lang", language);
  const { code, out, err } = await start(asked, who.around).ended;
  expect({ code, err }).toMatchObject({ code: 0 });
  return `${out}${err}`;
};

test(
  "S2.6 skipped hooks and missing signatures are reported in a run's first lines, in both languages",
  limit,
  async () => {
    const who = begun("");
    const english = await said(who, ["orchestrate", "--in-session"], "en");
    expect(english).toContain("pre-commit, post-merge.");
    expect(english).toMatch(/not signed although commit\.gpgSign/);
    const korean = await said(who, ["orchestrate", "--in-session", "--resume"], "ko");
    expect(korean).toMatch(/git 훅을 실행하지 않습니다: pre-commit, post-merge/);
    expect(korean).toMatch(/서명하지 않습니다/);
  },
);

test(
  "S2.6 the same where the run carries itself out; what is run or signed is not reported",
  limit,
  async () => {
    const who = begun("");
    who.course({ "T1.1": [{}], "T1.2": [{}], "T2.1": [{}] });
    const [, ...lines] = (await said(who, who.run, "en")).split("\n");
    expect(lines.slice(0, 3).join("\n")).toMatch(/^Lands on[^]*pre-commit, post-merge[^]*gpgSign/);
    const asked = begun("git:\n  hooks: run\n  sign: true\n");
    expect(await said(asked, ["orchestrate", "--in-session"], "en")).not.toMatch(/hooks|signed/);
  },
);
