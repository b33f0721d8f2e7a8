// One task played against a world that keeps its word: what was decided is carried out, in order, and
// has its result; agents only speak while they run; timers come when they are due. From wherever chance
// has led it, a task that everybody wants to see done must come to its end.
import type { Effect } from "../../src/engine/_draft.ts";
import type { Input } from "../../src/engine/inputs.ts";
import { Play } from "../../src/engine/decide/play.ts";
import { taskTypeOf } from "../../src/workflows/phases/types.ts";

type EffectInput = Extract<Input, { kind: "effect" }>;

export class Honest {
  readonly play: Play;
  /** Decided, not yet carried out. A check runs beside what comes after it. */
  readonly #open: Effect[] = [];

  constructor(type: string) {
    this.play = new Play(type, 1, { budget: { costUsd: 1, tokens: null, minutes: 10 } });
    const name = type === "unreviewed" ? "create_app" : type;
    const known = taskTypeOf(name, this.play.settings, "en");
    if (known === undefined) throw new Error(`no type ${type}`);
    const phases = known.phases.map((phase) => ({ ...phase, review: false }));
    const played = type === "unreviewed" ? { ...known, phases } : known;
    this.play.command({ name: "submit", type: played });
    this.play.command({ name: "start" });
    this.#collect();
  }

  get isOver(): boolean {
    return ["completed", "failed"].includes(this.play.task.status);
  }

  /** All that may happen now, by name. */
  moves(): Record<string, () => void> {
    const { play } = this;
    const all: Record<string, () => void> = {
      pause: () => void play.command({ name: "pause" }),
      resume: () => void play.command({ name: "resume" }),
      grant: () => void play.command({ name: "grant_slot" }),
      full_disk: () => void play.command({ name: "hold", on: true, hold: "disk" }),
      room: () => void play.command({ name: "hold", on: false, hold: "disk" }),
    };
    const first = this.#open.find(({ name }) => name !== "verify");
    if (first) all["act"] = () => this.#carryOut(first);
    const check = this.#open.find(({ name }) => name === "verify");
    const isNext = check !== undefined && (first === undefined || first.key > check.key);
    if (check && isNext) {
      all["passed"] = () => this.#checked(check, true);
      all["refused"] = () => this.#checked(check, false);
    }
    for (const key of play.timers.keys()) {
      const [, name = "", about = ""] = key.split(":");
      if (name !== "sample") all[`timer ${name}`] = () => play.due(name, about);
    }
    this.#people(all);
    if (this.#speaks) this.#agent(all);
    return all;
  }

  do(name: string): void {
    const move = this.moves()[name];
    if (move === undefined) throw new Error(`${name} is no move now`);
    move();
    this.#collect();
  }

  /** Everybody helps: true if it came to an end. */
  finish(): boolean {
    for (let step = 0; step < 300 && !this.isOver; step++) {
      const moves = Object.keys(this.moves());
      const held = this.play.agent.data.holds;
      // Under review a pause waits, and so does its end (S1.7, S1.9).
      const mayResume = this.play.task.status === "in_progress";
      const next = [
        ...(held.includes("person") && mayResume ? ["resume"] : []),
        ...(held.includes("disk") ? ["room"] : []),
        ...(held.includes("limit") ? ["timer unpark"] : []),
        "act",
        "passed",
        "answer",
        "provide",
        "approve",
        "claim",
        ...(this.play.agent.data.slot ? [] : ["grant"]),
      ].find((name) => moves.includes(name));
      if (next === undefined) return false;
      this.do(next);
    }
    return this.isOver;
  }

  // --- internal ---

  /** Its process is there, not frozen, and nobody is about to end it. */
  get #speaks(): boolean {
    const { agent } = this.play;
    const process = this.play.all("process").find(({ id }) => id === agent.data.process);
    const { status, slot } = { status: process?.status, slot: agent.data.slot };
    return status === "running" && slot && process?.data.wanted === false;
  }

  #agent(all: Record<string, () => void>): void {
    const { play } = this;
    const phase = play.task.data.document?.phase ?? 1;
    all["claim"] = () => play.claims(phase);
    all["ask"] = () => play.asks();
    all["need"] = () => play.needs(`KEY_${play.all("dependency").length}`);
    all["limit"] = () => play.limited(5);
    all["spend"] = () => play.says({ type: "usage", tokens: 1, costUsd: 0.3 });
    for (const [name, code] of [
      ["exit 0", 0],
      ["exit 1", 1],
      ["vanish", null],
    ] as const)
      all[name] = () => this.#ended(play.agent.data.process ?? "", code);
  }

  #people(all: Record<string, () => void>): void {
    const { play } = this;
    const open = (kind: "question" | "dependency" | "review") =>
      play.all(kind).find(({ status }) => status === "open");
    const question = play.all("question").find(({ status }) => status === "open");
    const answer = question?.data.options[0] ?? "x";
    if (question)
      all["answer"] = () => void play.command({ name: "answer", questionId: question.id, answer });
    const dependency = open("dependency");
    if (dependency)
      all["provide"] = () => void play.command({ name: "provide", dependencyId: dependency.id });
    const review = open("review");
    if (review === undefined) return;
    all["approve"] = () => void play.approve();
    all["changes"] = () =>
      void play.command({ name: "request_changes", reviewId: review.id, feedback: "more" });
  }

  #collect(): void {
    this.#open.push(...this.play.effects.splice(0));
  }

  #carryOut(effect: Effect): void {
    const { play } = this;
    const { name, data } = effect;
    if (name === "start") return this.#start(effect, data["process"]);
    this.#done(effect, { kind: "done" });
    if (name !== "settle") return;
    // What is to end, ends; and that is seen.
    const agent = play.all("agent").find(({ id }) => id === data["agent"]);
    const process = play.all("process").find(({ id }) => id === agent?.data.process);
    if (agent === undefined || process === undefined || process.status === "ended") return;
    const over = agent.status === "completed" || agent.status === "failed";
    if (over || process.data.wanted) this.#ended(process.id, 143);
  }

  #start(effect: Effect, process: unknown): void {
    const { play } = this;
    const row = play.all("process").find(({ id }) => id === process);
    if (row?.status !== "starting") return this.#done(effect, { kind: "done" });
    const wanted = play.agent.status === "running" && !row.data.wanted;
    this.#done(effect, { kind: wanted ? "started" : "not_started", process: row.id });
  }

  #checked(effect: Effect, passed: boolean): void {
    const { document } = this.play.task.data;
    // It looks at the task as it is now, as every effect does.
    if (document?.stage !== "check") return this.#done(effect, { kind: "done" });
    const step = `check-${document.phase}-${document.round}`;
    const shown = { hash: "h1", since: null, tree: "t1", files: [] };
    const result = passed
      ? ({ passed: true, shown } as const)
      : ({ passed: false, feedback: "not good" } as const);
    this.#done(effect, { kind: "checked", step, result });
  }

  #done(effect: Effect, result: EffectInput["result"]): void {
    this.#open.splice(this.#open.indexOf(effect), 1);
    this.play.put({ kind: "effect", key: effect.key, name: effect.name, result });
  }

  #ended(process: string, code: number | null): void {
    this.play.put({ kind: "ended", process, code, signal: code === 143 ? "SIGTERM" : null });
  }
}
