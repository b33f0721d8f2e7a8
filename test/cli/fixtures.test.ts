// What `status` and `why` say of the sources' own documents: each alone in a project, and all
// together. The whole text lies in test/fixtures/golden; read it as a user would.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Ajv } from "ajv";
import { beforeAll, describe, expect, test } from "vitest";
import * as generated from "../../src/app/generated/index.js";
import { run } from "../../src/cli/run.ts";
import { unitStatuses } from "../../src/core/vocabulary.ts";
import { loadCodec } from "../../src/formats/codec.ts";
import type { OrchestrateState } from "../../src/formats/orchestrate-state.ts";
import type { DevelopState } from "../../src/formats/develop-state.ts";
import type { RequestState } from "../../src/formats/request-state.ts";
import type { TaskHistory } from "../../src/formats/task-history.ts";
import type { TaskState } from "../../src/formats/task-state.ts";
import { type Fixture, seeds } from "../fixtures/documents.ts";
import { type Ended, freshPlace, root } from "./program.ts";

type Schemas = Record<string, { output: object }>;
let schemas: Schemas;
beforeAll(async () => {
  schemas = (await generated.schemas()).default as Schemas;
});

/** As the shell calls it, without a process for each: there are hundreds of calls. */
async function holdfast(words: readonly string[], cwd: string): Promise<Ended> {
  const said = { out: "", err: "" };
  const code = await run(words, {
    cwd: () => cwd,
    env: { HOLDFAST_HOME: join(cwd, "../home") },
    colours: false,
    version: "",
    out: (text) => (said.out += `${text}\n`),
    err: (text) => (said.err += `${text}\n`),
    resolve,
    write: (text) => (said.out += text),
    read: () => new Uint8Array(),
    ended: () => new AbortController().signal,
  });
  return { code, ...said };
}

function projectWith(fixtures: readonly Fixture[]): string {
  const { project } = freshPlace();
  for (const { path, bytes } of fixtures) {
    // `full/.claude/…` lies at `.claude/…`.
    const file = join(project, path.slice(path.indexOf("/") + 1));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  return project;
}

/** Every id that a document gives to something that can be asked about. */
async function idsIn({ format, bytes }: Fixture): Promise<string[]> {
  const read = (await loadCodec(format)).read(bytes);
  if (!read.ok) throw new Error(`${format} is not valid`);
  const value: unknown = read.value;
  switch (format) {
    case "develop-state":
      return Object.keys((value as DevelopState).checkpoints ?? {});
    case "orchestrate-state": {
      const { tasks, dependencies, checkpoints } = value as OrchestrateState;
      const finished = Object.values(checkpoints).flatMap((phase) => phase.tasks ?? []);
      return [
        ...unitStatuses.flatMap((status) => tasks[status]),
        ...Object.keys(dependencies),
        ...finished,
      ];
    }
    case "task-state": {
      const { current_task: current, pending_tasks: pending } = value as TaskState;
      const steps = (current?.plan.steps ?? []).map(({ id }) => String(id));
      return [...steps, ...(current ? [current.id] : []), ...pending.map(({ id }) => id)];
    }
    case "task-history":
      return (value as TaskHistory).tasks.map(({ id }) => id);
    case "request-state": {
      const { request, tasks, task_order: order } = value as RequestState;
      const subtasks = Object.values(tasks).flatMap((task) => task.subtask_order);
      return [request.id, ...order, ...subtasks];
    }
    default:
      return [];
  }
}

/** Ids of the plan: in the state only once they have begun. */
async function idsPlanned({ format, bytes }: Fixture): Promise<string[]> {
  if (format !== "task-breakdown") return [];
  const read = (await loadCodec(format)).read(bytes);
  return read.ok
    ? read.value.tasks.flatMap(({ id, subtasks }) => [id, ...subtasks.map((subtask) => subtask.id)])
    : [];
}

/** What a user sees of a project, call by call. Each call succeeds, and its JSON fits its schema. */
async function seen(project: string, ids: readonly string[], lang: string): Promise<string> {
  const calls = [["status"], ...[...new Set(ids)].map((id) => ["why", id])];
  const shown: string[] = [];
  for (const words of calls) {
    const ended = await holdfast([...words, "--lang", lang], project);
    expect({ words, ...ended }).toMatchObject({ words, code: 0, err: "" });
    expect(ended.out).not.toMatch(/\{\w+\}|\([가-힣]+\/[가-힣]+\)|undefined|\[object|^\s+at /m);
    const [name = ""] = words;
    const wire = JSON.parse((await holdfast([...words, "--json"], project)).out) as unknown;
    const fits = new Ajv({ strict: true, allowUnionTypes: true }).compile(
      schemas[name]?.output ?? false,
    );
    expect({ words, fits: fits(wire), errors: fits.errors }).toMatchObject({ fits: true });
    shown.push(`$ holdfast ${words.join(" ")}\n${ended.out.replaceAll(project, "PROJECT")}`);
  }
  return shown.join("\n");
}

const golden = (name: string): string => join(root, "test/fixtures/golden", name);

describe.each(["en", "ko"])("the sources' documents, told in %s", (lang) => {
  test("S6.1 each of the 17 alone in a project: status, and why of every id in it", async () => {
    expect(seeds).toHaveLength(17);
    const parts: string[] = [];
    for (const fixture of seeds)
      parts.push(
        `===== ${fixture.path}\n\n${await seen(projectWith([fixture]), await idsIn(fixture), lang)}`,
      );
    await expect(parts.join("\n")).toMatchFileSnapshot(golden(`alone.${lang}.txt`));
  });

  test("S6.1 all together, with ids that several of them know", async () => {
    const full = seeds.filter(({ path }) => path.startsWith("full/"));
    const ids = await Promise.all(full.flatMap((each) => [idsIn(each), idsPlanned(each)]));
    const text = await seen(projectWith(full), ids.flat(), lang);
    await expect(text).toMatchFileSnapshot(golden(`together.${lang}.txt`));
  });
});
