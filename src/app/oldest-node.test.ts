import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isTooOld, oldestNode } from "./oldest-node.ts";

test("S7.7 the oldest Node is that of package.json", () => {
  const about = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { engines } = JSON.parse(about) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${oldestNode}`);
});

test.each([
  ["12.22.12", true],
  ["18.20.8", true],
  ["20.18.9", true],
  ["20.19.0", false],
  ["20.20.2", false],
  ["21.0.0", false],
  ["26.10.0", false],
])("S7.7 Node %s is too old: %s", (version, expected) => {
  expect(isTooOld(version)).toBe(expected);
});
