// The checks of `doctor`, one function a topic; each returns what it has to say.
import { relative } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { realDisk } from "../../store/disk.ts";
import { checkHome, lookAtHome } from "../../store/home.ts";
import { type Leftover, agreementOf, findLeftovers, findProgram } from "../../store/inspection.ts";
import type { Context } from "../operation.ts";
import type { Line } from "./doctor.ts";
import { type FileReport, operation as validate } from "./validate.ts";

/** package.json's `engines`. */
const oldestNode = [20, 19] as const;

export function checkNode(version: string = process.versions.node): Line[] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [least, leastMinor] = oldestNode;
  if (major > least || (major === least && minor >= leastMinor))
    return [ok("node", msg("doctor.node", { version }))];
  const needed = oldestNode.join(".");
  return [problem("node", msg("doctor.node.old", { version, needed }), msg("doctor.node.hint"))];
}

export function checkGit({ env }: Context): Line[] {
  const path = findProgram("git", env["PATH"] ?? "");
  return path === undefined
    ? [notice("git", msg("doctor.git.none"), msg("doctor.git.hint"))]
    : [ok("git", msg("doctor.git", { path }))];
}

export function checkProject({ project }: Context): Line[] {
  const { root, because, mark } = project;
  if (because === "here") return [ok("project", msg("doctor.project.here", { root }))];
  return [ok("project", msg(`doctor.project.${because}`, { root, mark }))];
}

export function checkHomeFolder({ home, project }: Context): Line[] {
  const { path } = home;
  try {
    checkHome(home, project.root);
  } catch (thrown) {
    return [ofFault("home", thrown)];
  }
  const { exists, mode, writable } = lookAtHome(home);
  if (!exists) return [ok("home", msg("doctor.home.none", { path }))];
  const shown = mode.toString(8);
  if ((mode & 0o022) !== 0)
    return [problem("home", msg("doctor.home.open", { path, mode: shown }), chmod(path))];
  if (!writable) return [problem("home", msg("doctor.home.readonly", { path }), chmod(path))];
  if ((mode & 0o055) !== 0)
    return [notice("home", msg("doctor.home.readable", { path, mode: shown }), chmod(path))];
  return [ok("home", msg("doctor.home", { path }))];
}

export async function checkDatabase(context: Context): Promise<Line[]> {
  try {
    const store = await context.existingStore();
    if (!store) return [ok("database", msg("doctor.database.none"))];
    const { ok: sound, detail } = await store.check();
    const file = context.home.database;
    if (sound) return [ok("database", msg("doctor.database", { file }))];
    const line = problem("database", msg("store.corrupt", { file, detail }));
    return [{ ...line, corrupt: true, hint: msg("store.corrupt.hint", { file }) }];
  } catch (thrown) {
    return [ofFault("database", thrown)];
  }
}

export async function checkDocuments(context: Context): Promise<Line[]> {
  const files = await validated(context);
  if (files.length === 0) return [ok("documents", msg("doctor.documents.none"))];
  const bad = files.filter(({ status }) => status === "invalid").map(invalidLine);
  const notices = files
    .filter(({ status, findings }) => status === "valid" && findings.length > 0)
    .map((file) => ({ ...notice("documents", firstOf(file)), path: file.path }));
  const valid = files.length - bad.length;
  return [
    ...(valid > 0 ? [ok("documents", msg("doctor.documents", { count: valid }))] : []),
    ...bad,
    ...notices,
  ];
}

/** `validate` on the whole project; an empty one has nothing wrong with it. */
export async function validated(context: Context): Promise<readonly FileReport[]> {
  try {
    const there = Object.create(context, { cwd: { value: context.project.root } }) as Context;
    return (await validate.run(there, {})).files;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === "not_found") return [];
    throw thrown;
  }
}

/** Documents that are not as the database last wrote them: a person's edit, or a write cut short. */
export async function checkDrift(context: Context): Promise<Line[]> {
  const { root } = context.project;
  return (await driftedRows(context)).map(({ path, agreement }) => ({
    ...notice("documents", msg(`doctor.drift.${agreement}`), msg("doctor.drift.hint")),
    path: relative(root, path),
  }));
}

export async function driftedRows(context: Context) {
  try {
    const store = await context.existingStore();
    const project = await store?.projectAt(context.project.root);
    if (!store || !project) return [];
    return (await store.documents(project.id)).flatMap((row) => {
      const agreement = agreementOf(row, realDisk);
      return agreement === "same" ? [] : [{ path: row.path, format: row.format, agreement }];
    });
  } catch (thrown) {
    // That the database can not be read has its own line.
    if (thrown instanceof Fault) return [];
    throw thrown;
  }
}

export async function checkLeftovers({ project: { root } }: Context): Promise<Line[]> {
  const left = await findLeftovers(root, realDisk, Date.now());
  if (left.length === 0) return [ok("locks", msg("doctor.locks"))];
  return left.map((each) => ({ ...leftoverLine(each), path: relative(root, each.path) }));
}

/** A lock that names nobody may be judged after this long (S2.7). */
export const namelessAge = 5000;

/** S6.7: said openly, every time. */
export function checkSandbox(): Line[] {
  return [notice("sandbox", msg("doctor.sandbox"), msg("doctor.sandbox.hint"))];
}

export function ofFault(topic: Line["topic"], thrown: unknown, path?: string): Line {
  if (!(thrown instanceof Fault)) throw thrown;
  return {
    ...problem(topic, thrown.text, thrown.hint),
    ...(path === undefined ? {} : { path }),
    ...(thrown.code === "corrupt" ? { corrupt: true } : {}),
  };
}

// --- internal ---

function ok(topic: Line["topic"], message: Message): Line {
  return { topic, level: "ok", message };
}

function notice(topic: Line["topic"], message: Message, hint?: Message): Line {
  return { topic, level: "notice", message, ...(hint ? { hint } : {}) };
}

function problem(topic: Line["topic"], message: Message, hint?: Message): Line {
  return { topic, level: "problem", message, ...(hint ? { hint } : {}) };
}

function chmod(path: string): Message {
  return msg("store.folder_open.hint", { path });
}

/** A broken plan is a person's draft, not a damaged state. */
function invalidLine(file: FileReport): Line {
  const isState = file.format !== "task-list" && file.format !== "project-settings";
  return {
    ...problem("documents", firstOf(file), msg("doctor.documents.hint", { path: file.path })),
    path: file.path,
    ...(isState ? { corrupt: true } : {}),
  };
}

function firstOf({ findings }: FileReport): Message {
  const [first, ...others] = findings;
  if (!first) return msg("format.expected.anything");
  const { pointer, message } = first;
  const said = pointer === "" ? message : msg("status.at", { pointer, problem: message });
  return others.length === 0
    ? said
    : msg("doctor.documents.more", { first: said, count: others.length });
}

function leftoverLine({ kind, state, holder, age }: Leftover): Line {
  if (kind === "lock" && state === "nameless")
    return age < namelessAge
      ? notice("locks", msg("doctor.locks.nameless"), msg("doctor.locks.fresh.hint"))
      : problem("locks", msg("doctor.locks.nameless"), msg("lock.nameless.hint"));
  if (state === "nameless")
    return notice("locks", msg("doctor.locks.left"), msg("doctor.fix.hint"));
  const { pid, host } = holder ?? { pid: 0, host: "" };
  if (state === "gone")
    return notice("locks", msg("doctor.locks.gone", { pid, host }), msg("doctor.fix.hint"));
  if (state === "unknown")
    return notice(
      "locks",
      msg("doctor.locks.unknown", { pid, host }),
      msg("doctor.locks.unknown.hint"),
    );
  return notice("locks", msg(`doctor.locks.${state}`, { pid, host }));
}
