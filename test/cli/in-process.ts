// One call of the program in this process, for tests that make hundreds of them.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "../../src/cli/run.ts";

export async function calledHere(words: readonly string[], root: string, home: string) {
  const said = { out: "", err: "" };
  const code = await run(words, {
    cwd: () => root,
    env: { HOLDFAST_HOME: home, PATH: process.env["PATH"], LANG: "C" },
    colours: false,
    version: "0",
    out: (text) => (said.out += `${text}\n`),
    err: (text) => (said.err += `${text}\n`),
    write: (text) => (said.out += text),
    read: (path) => readFileSync(path),
    resolve: (cwd, path) => resolve(cwd, path),
    ended: () => new AbortController().signal,
  });
  return { code, ...said };
}
