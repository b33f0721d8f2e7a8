// What agents call all the time is read without the table of commands and their schemas: as plainly put as
// that, it must mean the same as it does there.
import { describe, expect, test } from "vitest";
import { checkInput, inputSchema } from "../../src/app/input.ts";
import { parseWords } from "../../src/cli/arguments.ts";
import { commands } from "../../src/cli/command.ts";
import { inputOf, plain } from "../../src/cli/plain-call.ts";

type Name = "status" | "next" | "report";

// oxfmt-ignore
const calls: [Name, string[]][] = [
  ["status", []],
  ["status", ["--cwd", "/p"]],
  ["next", ["orchestrate"]],
  ["next", ["orchestrate", "--session", "s", "--cwd", "/p"]],
  ["next", ["--cwd", "/p", "--session", "s", "plan"]],
  ["report", ["orchestrate", "DONE:T1.1", "--session", "s"]],
  ["report", ["--session", "s", "create_app", "FAIL:1:no"]],
  ["report", ["plan", "x".repeat(100), "--session", "y".repeat(100)]],
];

describe("S7.2 a plain call", () => {
  test.each(calls)("%s %j is what the table of commands makes of it", async (name, words) => {
    const { cwd, ...input } = read(name, words) ?? {};
    const told = parseWords(words, await inputSchema(name), (await commands[name]()).positional);
    expect({ input, cwd }).toEqual({ input: told.input, cwd: told.common.cwd });
    await checkInput(name, input);
  });

  // oxfmt-ignore
  test.each<[Name, string[]]>([
    ["status", ["--json"]], ["status", ["what"]], ["status", ["--cwd"]], ["status", ["--cwd="]], ["status", ["-h"]],
    ["next", []], ["next", ["orchestrate", "RESOLVE_NEXT"]], ["next", ["orchestrate", "--phase", "2"]],
    ["next", ["orchestrate", "--session", "--cwd"]], ["next", ["a", "--session", "x", "--session", "y"]],
    ["next", ["x".repeat(101)]], ["next", [""]], ["next", ["orchestrate", "--", "x"]], ["next", ["a", "--lang", "ko"]],
    ["report", ["orchestrate"]], ["report", ["orchestrate", "DONE:1", "more"]], ["report", ["a", "-"]],
  ])("%s %j is left to it", (name, words) => {
    expect(read(name, words)).toBeUndefined();
  });
});

// --- internal ---

function read(name: Name, words: readonly string[]): Record<string, string> | undefined {
  const call = plain[name];
  return call && inputOf(call, words);
}
