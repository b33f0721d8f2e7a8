import { expect, test } from "vitest";
import { agentEnvironment } from "./environment.ts";

const place = { run: "r1", home: "/h", root: "/p" };

test("S6.6 an agent gets an allow-list of our environment, what the settings name, and our own words", () => {
  const own = {
    PATH: "/bin",
    HOME: "/home/me",
    LANG: "ko_KR.UTF-8",
    LC_ALL: "C",
    XDG_CONFIG_HOME: "/c",
    TZ: "Asia/Seoul",
    AWS_SECRET_ACCESS_KEY: "no",
    GITHUB_TOKEN: "no",
    LD_PRELOAD: "no",
    NODE_OPTIONS: "no",
    HOLDFAST_TOKEN: "no",
    HOLDFAST_RUN: "of an outer agent",
    ANTHROPIC_API_KEY: "named",
    UNSET: undefined,
  };
  expect(agentEnvironment(own, place, { KEY: "v" }, ["ANTHROPIC_API_KEY", "UNSET"])).toEqual({
    PATH: "/bin",
    HOME: "/home/me",
    LANG: "ko_KR.UTF-8",
    LC_ALL: "C",
    XDG_CONFIG_HOME: "/c",
    TZ: "Asia/Seoul",
    ANTHROPIC_API_KEY: "named",
    KEY: "v",
    HOLDFAST_RUN: "r1",
    HOLDFAST_HOME: "/h",
    HOLDFAST_ROOT: "/p",
  });
});

test("S1.15 a given value wins over ours, but never takes our own names", () => {
  const extra = { PATH: "/mine", HOLDFAST_RUN: "other", HOLDFAST_HOME: "/x", HOLDFAST_ROOT: "/y" };
  expect(agentEnvironment({ PATH: "/bin" }, place, extra)).toEqual({
    PATH: "/mine",
    HOLDFAST_RUN: "r1",
    HOLDFAST_HOME: "/h",
    HOLDFAST_ROOT: "/p",
  });
});

test("S6.6 what an environment can not hold is refused without telling the value", () => {
  for (const extra of [{ "A=B": "s3cret" }, { "": "s3cret" }, { A: "s3cret\0" }]) {
    const told = thrownBy(() => agentEnvironment({}, place, extra));
    expect(told).toMatchObject({ code: "invalid_input" });
    expect(String(told)).not.toContain("s3cret");
  }
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (cause) {
    return cause;
  }
}
