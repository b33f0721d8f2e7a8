// A project on a real disk with a request in it, called as its doors call it, without a process a call.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import { createContext, type OpenContext } from "../../src/app/context.ts";
import type { NextStep, Reported } from "../../src/app/in-session.ts";
import { operation as contractsOf, type Contracts } from "../../src/app/operations/contracts.ts";
import {
  operation as requestOf,
  type Input,
  type Requested,
} from "../../src/app/operations/request.ts";
import { request as session } from "../../src/app/_session-request.ts";
import { projectHash } from "../../src/core/ids.ts";
import { type Message, render } from "../../src/core/messages.ts";
import { type Codec, loadCodec } from "../../src/formats/codec.ts";
import { formatOfPath } from "../../src/formats/registry.ts";
import { parseYaml, printYaml } from "../../src/formats/yaml.ts";
import type { RequestState } from "../../src/formats/request-state.ts";
import { answered } from "./answered.mjs";

export interface World {
  readonly folder: string;
  root: string;
  readonly told: string[];
  readonly with: <T>(work: (context: OpenContext) => Promise<T>) => Promise<T>;
  /** Without a look at every document afterwards. */
  readonly bare: World["with"];
  readonly request: (text: string, more?: Partial<Input>) => Promise<Requested>;
  readonly next: (session?: string) => Promise<NextStep>;
  readonly report: (line: string, session?: string) => Promise<Reported>;
  readonly contracts: (given: object) => Promise<Contracts>;
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  readonly state: () => RequestState;
  /** Everything below .claude, with folders of their own only where they are empty. */
  readonly tree: () => string[];
  readonly at: (path: string) => string;
}

export function world(): World {
  // In memory where there is one: what is tested here is not the disk.
  const below = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = realpathSync(mkdtempSync(join(below, "holdfast-request-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told: string[] = [];
  const made: World = {
    folder,
    root: join(folder, "shop"),
    told,
    with: async (work) => {
      const result = await made.bare(work);
      await valid(made.root);
      return result;
    },
    bare: async (work) => {
      const context = createContext({
        cwd: made.root,
        env: { HOLDFAST_HOME: join(folder, "home"), PATH: process.env["PATH"] },
        language: "en",
        ended: () => new AbortController().signal,
        tell: (text: Message) => told.push(render("en", text)),
        emit: () => undefined,
        caller: null,
      });
      try {
        return await work(context);
      } finally {
        await context.close();
      }
    },
    request: (text, more = {}) => made.with((context) => requestOf.run(context, { text, ...more })),
    next: (name = "a") => made.with((context) => session.next(context, { session: name })),
    report: (line, name = "a") =>
      made.with((context) => session.report(context, line, { session: name })),
    contracts: (given) =>
      made.with((context) => contractsOf.run(context, { session: "a", ...given })),
    at: (path) => join(made.root, path),
    write: (path, text) => {
      mkdirSync(dirname(made.at(path)), { recursive: true });
      writeFileSync(made.at(path), text);
    },
    read: (path) => readFileSync(made.at(path), "utf8"),
    state: () => JSON.parse(made.read(inSession(made.root, "state.json"))) as RequestState,
    tree: () => treeOf(made.at(".claude")),
  };
  mkdirSync(join(made.root, ".git"), { recursive: true });
  made.write(".git/HEAD", "ref: refs/heads/main\n");
  made.write("src/item.ts", "export const item = 1;\n");
  return made;
}

export function inSession(root: string, path: string): string {
  return `.claude/orchestrator/sessions/${projectHash(root)}/${path}`;
}

/** The form in a prompt, at the place that the prompt names: filled in, or just as it is shown. */
export function fill({ prompt }: NextStep, made: World, more: object | "as shown"): string {
  const [, path = "", form = ""] =
    /`(\.holdfast\/drafts\/[^`]+)`[^]*?```(?:yaml|json)\n([^]*?)\n```/.exec(prompt ?? "") ?? [];
  const read = parseYaml(form);
  if (!read.ok) throw new Error(prompt ?? "no prompt");
  const value = more === "as shown" ? read.value : { ...answered(read.value as object), ...more };
  made.write(path, path.endsWith(".json") ? JSON.stringify(value) : printYaml(value));
  return path;
}

function treeOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** The same text is as valid as it was. */
const fine = new Set<string>();

/** Every document that lies there reads, after every call. */
async function valid(root: string): Promise<void> {
  for (const path of treeOf(join(root, ".claude")).filter(
    (each) => !/\.(?:bak|lock)$/.test(each),
  )) {
    const format = formatOfPath(path);
    if (format === undefined) continue;
    const bytes = readFileSync(join(root, ".claude", path));
    const name = `${format} ${bytes.toString("utf8")}`;
    if (fine.has(name)) continue;
    const codec = (await loadCodec(format)) as Codec<unknown>;
    const read = codec.read(bytes);
    if (!read.ok) throw new Error(`${path}: ${JSON.stringify(read.findings)}`);
    fine.add(name);
  }
}
