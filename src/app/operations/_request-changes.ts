// What a person does with a request: begin, stop, resume, reset, and learn from it (S4.7, S4.8).
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { type Message, msg } from "../../core/messages.ts";
import { realDisk } from "../../store/disk.ts";
import { complaint } from "../../workflows/request/apply.ts";
import type { Patterns } from "../../workflows/request/learn.ts";
import { orchestratorFolder, sessionPlace } from "../../workflows/request/places.ts";
import { words } from "../../workflows/request/prompts/words.ts";
import { type Wish, wished } from "../../workflows/request/start.ts";
import { request as inSession } from "../_session-request.ts";
import { answerTo } from "../conduct/answer.ts";
import { agentFor, fitProject } from "../conduct/fit.ts";
import { startLearning } from "../conduct/learn.ts";
import { letRun } from "../conduct/row.ts";
import type { Context } from "../operation.ts";
import { beginWaiting, startRequest } from "../request/begin.ts";
import { changeRequest, isThere, placeOf, projectOf, readRequest } from "../request/documents.ts";
import { patternsIn } from "../request/drafts.ts";
import { learnInto } from "../request/learn.ts";
import { settleSessions } from "../request/sessions.ts";
import { notBegun, shown } from "./_request-looks.ts";
import type { Input, Part, Requested } from "./request.ts";

export const begin: Part = async (context, given) => {
  const told = await settleSessions(context);
  const { id, waitsFor } = await startRequest(context, { text: given.text, headless: false });
  if (waitsFor !== null)
    return { line: `WAIT:${id}`, says: [...told, msg("request.queued", { id, before: waitsFor })] };
  return answer(context, given, [...told, msg("request.begun", { id })]);
};

/** Holdfast's own agents do the work, and it is followed to its end. */
export const carryOut: Part = async (context, given) => {
  await fitProject(context, false);
  const agent = await agentFor(context, given.agent);
  const told = await settleSessions(context);
  const wanted = { text: given.text, headless: true, agent };
  const { id, taskId, waitsFor } = await startRequest(context, wanted);
  // One that waits is carried out when its turn comes.
  await letRun(await context.store(), taskId, { agent }, Date.now());
  if (waitsFor !== null)
    return { line: `WAIT:${id}`, says: [...told, msg("request.queued", { id, before: waitsFor })] };
  return followed(context, taskId, [...told, msg("request.begun", { id })]);
};

export const stop: Part = async (context) => {
  const { run } = await wish(context, "stop");
  return after(context, msg("request.stopped_now", { id: run.id }));
};

export const resume: Part = async (context, given) => {
  const told = (await isThere(context)) ? await settleSessions(context) : [];
  const { board, row } = (await isThere(context)) ? await readRequest(context) : {};
  if (board === undefined) throw notBegun();
  const { id, branch } = board.run;
  const headless = branch !== null && row !== undefined;
  const agent = headless ? await agentFor(context, given.agent, row) : undefined;
  // Also where it is active: what nobody works on any more is free again.
  await wish(context, "resume");
  // It is the newest now: of several that are active it stays.
  told.push(...(await settleSessions(context)));
  if (headless) {
    await letRun(await context.store(), row.id, { agent }, Date.now());
    return followed(context, row.id, [...told, msg("request.resumed", { id })]);
  }
  return answer(context, given, [...told, msg("request.resumed", { id })]);
};

export const reset: Part = async (context) => {
  if (!(await isThere(context))) throw notBegun();
  const { board, place } = await readRequest(context);
  if (board === undefined) throw notBegun();
  const kept = await backup(context, place.hash, board.run.id);
  await wish(context, "reset");
  const next = await beginWaiting(context);
  return after(
    context,
    msg("request.reset_now", { id: board.run.id, kept }),
    ...(next === undefined ? [] : [msg("request.begun", { id: next.data.session.id })]),
  );
};

/** Decisions of every design there is, what went wrong and was mended, and patterns (S4.7). */
export const learn: Part = async (context, { patterns, agent }) => {
  // With an agent Holdfast has them looked for itself.
  const looks = patterns === undefined && agent !== undefined;
  if (looks) {
    await fitProject(context, false);
    const id = await startLearning(context, await agentFor(context, agent));
    await letRun(await context.store(), id, { agent }, Date.now());
    const end = await context.carryOut(id);
    if (end?.kind !== "ended" || end.result !== "completed")
      return answerTo(end, { workflow: "request", id }, []);
  }
  const given = patterns === undefined ? {} : await patternsGiven(context, patterns);
  const known = await learnInto(context, given);
  const asks = patterns === undefined && !looks;
  const say = words[context.language];
  return {
    line: `LEARNED:${Object.keys(known.patterns).length}:${known.decisions.length}:${known.pitfalls.length}`,
    says: [
      msg("request.learned", {
        patterns: Object.keys(known.patterns).length,
        decisions: known.decisions.length,
        pitfalls: known.pitfalls.length,
      }),
      ...(asks ? [msg("request.learn.hint")] : []),
    ],
    ...(asks
      ? { prompt: [say.roles["code-explore"], say.alsoPatterns("patterns.yaml")].join("\n\n") }
      : {}),
  };
};

// --- internal ---

async function followed(context: Context, id: string, says: Message[]): Promise<Requested> {
  return answerTo(await context.carryOut(id), { workflow: "request", id }, says);
}

async function wish(context: Context, what: Wish) {
  if (!(await isThere(context))) throw notBegun();
  let refused: Message | undefined;
  const done = await changeRequest(context, what, (board, now) => {
    const next = wished(board, what, now);
    refused = "key" in next ? next : undefined;
    return "key" in next ? undefined : next;
  });
  if (refused !== undefined)
    throw new Fault("refused", refused, { hint: msg("request.status.hint") });
  if (done === undefined) throw notBegun();
  return done;
}

async function after(context: Context, ...says: Message[]): Promise<Requested> {
  return { ...(await shown(context, await readRequest(context))), says };
}

/** What there is to do now, as `next` says it. */
async function answer(context: Context, { session }: Input, says: Message[]): Promise<Requested> {
  const next = await inSession.next(context, { session });
  return {
    line: next.line,
    says: next.says === null ? says : [...says, next.says],
    ...(next.prompt === null ? {} : { prompt: next.prompt }),
  };
}

/** State and session as they are, beside the tree; contracts stay where they lie. */
async function backup({ project }: Context, hash: string, id: string): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(":", "-");
  const folder = join(orchestratorFolder, "backup", `${id}.${stamp}`);
  await mkdir(join(project.root, folder), { recursive: true });
  for (const format of ["request-session", "request-state"] as const) {
    const path = sessionPlace(hash, format);
    const bytes = realDisk.read(join(project.root, path));
    const name = path.split("/").at(-1) ?? "";
    if (bytes !== null) await writeFile(join(project.root, folder, name), bytes, { flag: "wx" });
  }
  return folder;
}

async function patternsGiven(context: Context, text: string): Promise<Patterns> {
  const place = await placeOf(context);
  const read = await patternsIn({ project: projectOf(place) }, "patterns", text);
  if (read.ok) return read.value as Patterns;
  throw new Fault("invalid_input", complaint("patterns", read.findings, context.language));
}
