// A program that changes a document as a workflow's command will: by `Documents.update`, with the
// context, the words and the exit codes of `holdfast`. `update.mjs [--lang ko]` counts up by one;
// with `--hold` it says “inside” under the lock, and waits for a line.
import { readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createContext } from "../../src/app/context.ts";
import { createLook, languageOf } from "../../src/cli/look.ts";
import { faultOf, faultText } from "../../src/cli/faults.ts";
import { codes } from "../../src/core/errors.ts";
import type { SharedContext } from "../../src/formats/shared-context.ts";

const { argv, env, stdout, stderr } = process;
const look = createLook(languageOf(argv, env), false);
const context = createContext({
  cwd: process.cwd(),
  env,
  language: look.language,
  ended: () => new AbortController().signal,
  tell: (text) => stderr.write(`! ${look.say(text)}\n`),
  emit: () => {},
});
try {
  const path = join(context.project.root, ".claude/memory/shared-context.json");
  const documents = await context.documents();
  const count = await documents.update({
    files: [{ path, format: "shared-context" }],
    event: { count: 1 },
    apply: (found) => {
      if (argv.includes("--hold")) hold();
      const document = found.get(path) as SharedContext;
      const n = Number(document.shared_data["n"] ?? 0) + 1;
      const next = { ...document, shared_data: { ...document.shared_data, n } };
      return { documents: new Map([[path, next]]), result: n };
    },
  });
  stdout.write(`${count}\n`);
} catch (thrown) {
  const fault = faultOf(thrown);
  stderr.write(`${faultText(fault, look)}\n`);
  process.exitCode = codes[fault.code].exit;
} finally {
  await context.close();
}

/** With the whole process: nothing else of it goes on meanwhile. */
function hold(): void {
  writeSync(1, "inside\n");
  readSync(0, Buffer.alloc(1));
}
