// Plays a script, one instruction after the other, and records each.
//
// The record is written *after* what it records, with the size of our output at that moment. So a
// process that is killed leaves at most one instruction unrecorded, and the next one looks at the
// size of the dead one's output to learn how much of that instruction is out.
//
//   killed …             the next process finds    and
//   before the output    nothing new               prints the instruction
//   inside the output    a part of it              prints the cut line, or a cut marker, once more
//   before the record    all of it                 goes on behind it
//   after the record     nothing new               prints the next instruction
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import type { Framed } from "../adapters/frames.ts";
import { planCourse } from "./course.ts";
import type { Op } from "./language.ts";
import { type Printed, countOf, filled, printed } from "./_render.ts";
import { readScript } from "./script.ts";
import type { Session } from "./session.ts";

/** All that the agent touches. */
export interface World {
  readonly token: string | undefined;
  /** For a verifier: the how manieth look it is; null: it is the one who works. */
  readonly look: number | null;
  /** Milliseconds between the steps of the default course. */
  readonly pace: number;
  /** The file our output goes to (null: no file), and its size at the start. */
  readonly output: Session["output"];
  /** Null when that file is gone. */
  sizeOf(path: string): number | null;
  print(bytes: Uint8Array): void;
  save(session: Session): void;
  /** Below the working folder, or a Fault. */
  write(path: string, text: string): void;
  variable(name: string): string | undefined;
  now(): number;
  pause(milliseconds: number): Promise<void>;
  /** Something that ticks in a session of its own; over when it has ended. */
  tool(seconds: number, path: string): Promise<void>;
  /** The messages that came since; null once stdin is closed. */
  receive(): Promise<readonly Framed[] | null>;
}

/** Until the script is over or stdin closed while it waits: its exit code. */
export async function play(session: Session, world: World): Promise<number> {
  adopt(session, world);
  if (session.plan === null) {
    if (!(await nextWork(session, world))) return 0;
    plan(session, world);
  }
  for (;;) {
    const script = readScript(session.plan ?? "", world.look);
    if (!script.ok) throw new Fault("corrupt", msg("sample.broken_plan"));
    const { ops } = script;
    for (let op = ops[session.at]; op !== undefined; op = ops[session.at]) {
      const code = move(session, op, ops) ? null : await step(session, world, op);
      if (code !== null) return code;
      // Signals come in between.
      await world.pause(0);
    }
    if (session.given !== null) return 0;
    // What ended this course is the prompt for the next one.
    plan(session, world);
  }
}

// --- internal ---

/** What the last process printed and did not record is `cut`; from now on our own output counts. */
function adopt(session: Session, world: World): void {
  const { path, size } = session.output;
  const found = path === null ? null : world.sizeOf(path);
  const out = Math.max(0, (found ?? size) - size);
  if (out > 0) {
    session.cut += out - session.lead;
    session.lead = 0;
  }
  session.output = world.output;
  world.save(session);
}

function plan(session: Session, world: World): void {
  if (session.given === null) planCourse(session, world.pace);
  else session.plan = session.given;
  session.at = 0;
  session.loops = [];
  world.save(session);
}

/** Loops and jumps: not recorded, because walking them again from the last record does the same. */
function move(session: Session, op: Op, ops: readonly Op[]): boolean {
  const { loops } = session;
  if (op.do === "goto") session.at = op.to;
  else if (op.do === "loop") {
    const enters = countOf(op.count, session) > 0;
    if (enters) loops.push(1);
    session.at = enters ? session.at + 1 : op.after;
  } else if (op.do === "again") {
    const loop = ops[op.loop];
    const counter = loops.pop() ?? 1;
    const ends = loop?.do !== "loop" || counter >= countOf(loop.count, session) * loop.each;
    if (!ends) loops.push(counter + 1);
    session.at = ends ? session.at + 1 : op.loop + 1;
  } else return false;
  return true;
}

async function step(session: Session, world: World, op: Op): Promise<number | null> {
  const what = printed(op, session, world.token);
  if (!what) return act(session, world, op);
  if (op.do === "limit") session.until = world.now() + 1000 * countOf(op.seconds, session);
  // A variable that is there is not asked for, unless the request is out already.
  const isThere = op.do === "need" && world.variable(op.name) !== undefined;
  if (!isThere || session.cut > 0) print(session, world, what);
  return next(session, world);
}

async function act(session: Session, world: World, op: Op): Promise<number | null> {
  switch (op.do) {
    case "write":
      world.write(filled(session, op.path), filled(session, op.text));
      return next(session, world);
    case "sleep":
      await world.pause(countOf(op.milliseconds, session));
      return next(session, world);
    case "tool":
      await world.tool(countOf(op.seconds, session), filled(session, op.path));
      return next(session, world);
    case "rest":
      // By the clock: an agent that was frozen meanwhile goes on at once.
      while (world.now() < (session.until ?? 0))
        await world.pause(Math.min(1000, (session.until ?? 0) - world.now()));
      return next(session, world);
    case "exit":
      // Recorded first: a resumed agent goes on behind it.
      next(session, world);
      return countOf(op.code, session);
    case "await answer":
      return (await nextAnswer(session, world)) ? next(session, world) : 0;
    case "await variable":
      while (world.variable(op.name) === undefined) if (!(await collect(session, world))) return 0;
      return next(session, world);
    case "await work": {
      const kind = await nextWork(session, world);
      if (kind === null) return 0;
      const at = kind === "prompt" ? op.next : kind === "reminder" ? op.claim : session.at + 1;
      return next(session, world, at);
    }
    default:
      for (;;) await world.pause(HOUR);
  }
}

const HOUR = 3_600_000;

function next(session: Session, world: World, at = session.at + 1): null {
  session.at = at;
  session.cut = 0;
  session.lead = 0;
  world.save(session);
  return null;
}

function print(session: Session, world: World, what: Printed): void {
  const bytes = Buffer.from(what.text);
  const { from, lead } = remainder(bytes, Math.min(session.cut, bytes.length), what.marker);
  if (session.cut > 0) {
    // Recorded before more is printed: should this process be killed too, the next counts from here.
    session.cut = from;
    session.lead = lead || session.lead;
    world.save(session);
  }
  const rest = Buffer.concat([Buffer.alloc(session.lead, "\n"), bytes.subarray(from)]);
  world.print(rest);
  session.output = { ...session.output, size: session.output.size + rest.length };
}

/**
 * What is left to print when `cut` bytes are out. A line that was cut is printed whole, a marker from
 * its start, after a newline (`lead`) that ends the cut piece. A line that lacks only its newline is no
 * cut line, nor is a marker that lacks only newlines a cut marker.
 */
function remainder(bytes: Buffer, cut: number, marker: boolean): { from: number; lead: 0 | 1 } {
  const missing = marker ? bytes.subarray(cut) : bytes.subarray(cut, cut + 1);
  if (cut > 0 && missing.every((byte) => byte === NEWLINE)) return { from: cut, lead: 0 };
  const line = cut === 0 ? 0 : bytes.lastIndexOf(NEWLINE, cut - 1) + 1;
  return { from: marker ? 0 : line, lead: line < cut ? 1 : 0 };
}

const NEWLINE = 0x0a;

// --- messages ---

/** Takes what came into the session, once each; false when nothing more will come. */
async function collect(session: Session, world: World): Promise<boolean> {
  const messages = await world.receive();
  for (const message of messages ?? []) {
    if (session.seen.includes(message.id)) continue;
    session.seen.push(message.id);
    if (message.kind !== "note") session.inbox.push(message);
  }
  if (messages?.length) world.save(session);
  return messages !== null;
}

async function nextAnswer(session: Session, world: World): Promise<boolean> {
  for (;;) {
    const index = session.inbox.findIndex(({ kind }) => kind === "answer");
    if (index >= 0) {
      session.answer = session.inbox.splice(index, 1)[0]?.text ?? "";
      return true;
    }
    if (!(await collect(session, world))) return false;
  }
}

/** The next prompt, feedback or reminder. An answer nobody waits for is dropped. */
async function nextWork(session: Session, world: World): Promise<Framed["kind"] | null> {
  for (;;) {
    const message = session.inbox.shift();
    if (message === undefined) {
      if (!(await collect(session, world))) return null;
    } else if (message.kind === "feedback") {
      session.feedback = message.text;
      return "feedback";
    } else if (message.kind !== "answer") {
      if (message.kind === "prompt") session.prompt = message.text;
      return message.kind;
    }
  }
}
