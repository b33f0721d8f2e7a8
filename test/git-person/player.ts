// Plays a scene in one of three ways, and looks after each thing that happened whether everything holds.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Ended, type Running, start } from "../cli/program.ts";
import { until } from "../crash/programs.ts";
import {
  type Theirs,
  expectAllDone,
  expectSame,
  expectThere,
  keptOf,
  missingFrom,
  runsIn,
  theirsOf,
} from "./invariants.ts";
import { type Person, courseOf, filesOf, itself, person, unitsIn } from "./person.ts";
import type { Act, Scene, Way } from "./scene.ts";

export async function play(scene: Scene, way: Way): Promise<Verdict> {
  const who = person(scene);
  scene.before?.(who);
  const played = new Played(who, scene);
  if (way === "session") await bySession(played);
  else await byItself(played, way);
  return played.ended();
}

export interface Verdict {
  /** What `--verify` says at the end. */
  readonly said: string;
  /** What it has to say: a person may have taken a unit out, and meant to. */
  readonly due: "VERIFIED" | "DIFFERENT";
}

/** What has happened so far. */
export class Played {
  readonly who: Person;
  readonly scene: Scene;
  readonly #before: readonly string[];
  readonly #done = new Set<Act>();
  #target: string;
  #theirs: Theirs;
  #settled = false;

  constructor(who: Person, scene: Scene) {
    this.who = who;
    this.scene = scene;
    this.#before = runsIn(who);
    this.#target = who.try("symbolic-ref", "-q", "--short", "HEAD").out.trim();
    this.#theirs = theirsOf(who, this.#target);
    who.course(courseOf(who, scene));
    for (const { at } of scene.acts)
      if (at.startsWith("gate ")) writeFileSync(join(who.folder, `wants ${at}`), "");
  }

  get run(): string {
    return runsIn(this.who).find((name) => !this.#before.includes(name)) ?? "";
  }

  /** The next thing that the person does, if it is to be done where nobody sits beside the run. */
  next(): Act | undefined {
    return this.scene.acts.find((act) => !this.#done.has(act));
  }

  /** Everything that is to be done at this moment. */
  act(...moments: string[]): void {
    for (const act of this.scene.acts) {
      if (this.#done.has(act) || !moments.includes(act.at)) continue;
      this.does(act.does);
      this.#done.add(act);
    }
  }

  /** What they change is theirs from then on. */
  does(what: Act["does"]): void {
    this.same();
    what(this.who);
    this.#theirs = theirsOf(this.who, this.#target);
  }

  same(): void {
    expectSame(this.who, this.#theirs, theirsOf(this.who, this.#target));
  }

  /** Nothing is lost meanwhile; then the person mends it, once. */
  held(said: string): void {
    const { who, scene } = this;
    expectHeld(scene, said, this.#settled);
    this.#settled = true;
    this.same();
    // What the person took away is what it is held for: it is kept.
    const target = this.#theirs.target === null ? [] : [`refs/heads/${this.#target}`];
    expectThere(who, scene, [...target, ...keptOf(who, this.run)]);
    scene.settle?.by?.(who);
    if (scene.settle?.onto !== undefined) this.#target = scene.settle.onto;
    this.#theirs = theirsOf(who, this.#target);
  }

  ended(): Verdict {
    const { who, scene } = this;
    const left = scene.acts.filter((act) => !this.#done.has(act)).map(({ at }) => at);
    expectEnd(scene, { left, held: this.#settled, target: this.#target });
    this.same();
    expectAllDone(who, scene);
    const target = [`refs/heads/${this.#target}`];
    expectThere(who, scene, target);
    scene.after?.(who);
    const isWhole = missingFrom(who, { ...scene, gone: [] }, target).length === 0;
    const [said = ""] = /^\w+/.exec(who.call("orchestrate --verify").out) ?? [];
    return { said, due: isWhole ? "VERIFIED" : "DIFFERENT" };
  }
}

// --- internal ---

function expectHeld({ held = /^$/ }: Scene, said: string, before: boolean): void {
  expect(said).toMatch(held);
  expect({ before, said }).toEqual({ before: false, said });
}

/** Nothing was left out of the scene, and it went as it should. */
function expectEnd(
  { held, target = "main" }: Scene,
  found: { readonly left: readonly string[]; readonly held: boolean; readonly target: string },
): void {
  expect(found).toEqual({ left: [], held: held !== undefined, target });
}

// --- by a session ---

async function bySession(played: Played): Promise<void> {
  const { who, scene } = played;
  await must(who, ["orchestrate", "--in-session"]);
  let last = "";
  const before = who.state().tasks.completed;
  for (const unit of unitsIn(scene).filter((id) => !before.includes(id))) {
    played.act(`before ${unit}`);
    last = await worked(played, unit);
    // Once more, on top of what counts now.
    if (last.startsWith("RETRY:")) last = await worked(played, unit);
  }
  expect(last).toBe("ALL_DONE");
}

async function worked(played: Played, unit: string): Promise<string> {
  const begun = await told(played, `START:${unit}`);
  played.act(unit);
  const folder = begun.out.trim().slice("OK:".length);
  for (const [path, text] of Object.entries(filesOf(played.scene, unit))) put(folder, path, text);
  return (await told(played, `DONE:${unit}`)).out.trim();
}

/** Reported; where the run is held, reported again when the person has settled it. */
async function told(played: Played, line: string): Promise<Ended> {
  const { who, scene } = played;
  const words = ["report", "orchestrate", line, "--session", "a"];
  const first = await ended(played, start(who.words(...words), who.around));
  if (first.code === 0) return first;
  played.held(`${first.out}${first.err}`);
  const { say, onto } = scene.settle ?? {};
  if (say !== undefined) await must(who, ["orchestrate", "--settle", say]);
  if (onto !== undefined)
    await must(who, ["orchestrate", "--in-session", "--resume", "--onto", onto, "--session", "a"]);
  const again = await ended(played, start(who.words(...words), who.around));
  expect({ line, ...again }).toMatchObject({ line, code: 0 });
  return again;
}

// --- by itself ---

async function byItself(played: Played, way: "headless" | "server"): Promise<void> {
  const { who, scene } = played;
  if (way === "server") await serve(who);
  const words = (...more: string[]): string[] => who.words(...who.run, ...more);
  let end = await ended(played, start(words(), who.around));
  if (end.code === 4 && end.out.includes("HELD")) {
    played.held(end.out);
    const { say, onto } = scene.settle ?? {};
    if (say !== undefined && way === "server") {
      await must(who, ["task", "answer", played.run, "--answer", say]);
      await until("the server goes on", () => !isHeld(who, played.run));
    } else if (say !== undefined) await must(who, ["orchestrate", "--settle", say]);
    const more = onto === undefined ? [] : ["--onto", onto];
    end = await ended(played, start(words("--resume", ...more), who.around));
  }
  expect(end).toMatchObject({ code: 0, out: expect.stringContaining("ALL_DONE") as string });
}

async function serve(who: Person): Promise<void> {
  const server = start(who.words("serve", "--port", "0"), who.around);
  let said = "";
  server.child.stdout.on("data", (text: string) => (said += text));
  let over = false;
  void server.ended.then(() => (over = true));
  onTestFinished(async () => {
    server.child.kill("SIGTERM");
    await server.ended;
  });
  await until("the server is there", () => said.includes("#token=") || over);
  expect(over).toBe(false);
}

function isHeld(who: Person, run: string): boolean {
  const { held } = JSON.parse(who.call(`task show ${run} --json`).out) as { held?: unknown };
  return held !== undefined && held !== null;
}

// --- moments ---

/** Until it has ended: whenever it comes to a moment, the person does what is theirs to do there. */
async function ended(played: Played, running: Running): Promise<Ended> {
  const { who } = played;
  const over: { end?: Ended } = {};
  const end = running.ended.then((found) => (over.end = found));
  for (let act = played.next(); act !== undefined; act = played.next()) {
    const moment = itself(act.at);
    const at = join(who.folder, `at ${moment}`);
    await until(`${moment}, or the end`, () => over.end !== undefined || existsSync(at));
    if (!existsSync(at)) break;
    played.act(moment, `before ${moment}`);
    writeFileSync(join(who.folder, `go ${moment}`), "");
  }
  return end;
}

export async function must(who: Person, words: readonly string[]): Promise<void> {
  const found = await start(who.words(...words), who.around).ended;
  expect({ words, ...found }).toMatchObject({ words, code: 0 });
}

function put(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
