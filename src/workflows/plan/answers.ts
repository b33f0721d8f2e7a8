// What agents of a plan answer with: the steps, the verdict, the lessons. A model wrote it, so it is
// read strictly: a field nobody knows, a wrong type or a dependency on nothing is refused with the
// exact place, and all of it goes back to the author at once.
import { cycleText, findProblems } from "../../core/graph.ts";
import { unsafeId } from "../../core/ids.ts";
import { type Message, msg } from "../../core/messages.ts";
import { isUnfilled } from "../../core/placeholders.ts";
import { parseJson } from "../../formats/json.ts";
import { pointerTo } from "../../formats/format.ts";
import type { Judged } from "./run.ts";

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly complaints: readonly Message[] };

export interface PlannedStep {
  readonly id: number;
  readonly name: string;
  readonly agent: string;
  readonly cluster: string | null;
  readonly dependencies: readonly number[];
  /** Files that must be there, and a command that must end with 0, before it is done. */
  readonly files: readonly string[];
  readonly check: string | null;
}

export interface PlannedSteps {
  readonly success_criteria: readonly string[];
  readonly constraints: readonly string[];
  /** What those who work on it have at hand: documents, addresses, accounts. */
  readonly resources: readonly string[];
  readonly steps: readonly PlannedStep[];
}

export interface Closing {
  readonly summary: string;
  readonly lessons: readonly string[];
}

/** `finished`: ids that may be depended on and stay; new ones begin with `first`. */
export function readPlan(
  text: string,
  { finished, first }: { readonly finished: readonly number[]; readonly first: number },
): Answer<PlannedSteps> {
  return reading(text, (root, look) => {
    const fields = look.fields(root, "", ["success_criteria", "steps"], optional);
    const criteria = look.texts(fields["success_criteria"], "/success_criteria", 1);
    const constraints = look.texts(fields["constraints"] ?? [], "/constraints", 0);
    const resources = look.texts(fields["resources"] ?? [], "/resources", 0);
    const steps = look
      .list(fields["steps"], "/steps", 1)
      .map((step, place) => readStep(step, pointerTo("steps", place), first, look));
    for (const complaint of wrongDependencies(steps, finished)) look.say(complaint);
    return { success_criteria: criteria, constraints, resources, steps };
  });
}

/** Each criterion is judged once, under its number. */
export function readVerdict(text: string, criteria: readonly string[]): Answer<Judged[]> {
  return reading(text, (root, look) => {
    const fields = look.fields(root, "", ["criteria"], []);
    const seen = new Map<number, Judged>();
    look.list(fields["criteria"], "/criteria", 1).forEach((one, place) => {
      const at = pointerTo("criteria", place);
      const given = look.fields(one, at, ["criterion", "met", "evidence"], []);
      const number = look.whole(given["criterion"], `${at}/criterion`, 1);
      const met = given["met"];
      if (typeof met !== "boolean") look.wrong(`${at}/met`, "true | false", met);
      const evidence = look.text(given["evidence"], `${at}/evidence`);
      const criterion = criteria[number - 1];
      if (criterion === undefined || seen.has(number))
        look.say(msg("plan.bad.criterion", { pointer: `${at}/criterion`, count: criteria.length }));
      else seen.set(number, { criterion, met: met === true, evidence });
    });
    const missing = criteria.flatMap((_, place) => (seen.has(place + 1) ? [] : [place + 1]));
    if (missing.length > 0) look.say(msg("plan.bad.unjudged", { numbers: missing.join(", ") }));
    return criteria.flatMap((_, place) => seen.get(place + 1) ?? []);
  });
}

export function readClosing(text: string): Answer<Closing> {
  return reading(text, (root, look) => {
    const fields = look.fields(root, "", ["summary", "lessons"], []);
    return {
      summary: look.text(fields["summary"], "/summary"),
      lessons: look.texts(fields["lessons"], "/lessons", 0),
    };
  });
}

// --- internal ---

const optional = ["constraints", "resources"];

const longestText = 20_000;
const mostEntries = 500;
const longestShown = 60;

function readStep(value: unknown, at: string, first: number, look: Look): PlannedStep {
  const wanted = ["id", "name", "agent", "dependencies"];
  const fields = look.fields(value, at, wanted, ["cluster", "files", "check"]);
  const agent = look.text(fields["agent"], `${at}/agent`);
  const unsafe = unsafeId(agent);
  if (agent !== "" && unsafe) look.say(msg("plan.bad.agent", { pointer: `${at}/agent`, unsafe }));
  const { cluster = null, check = null } = fields;
  return {
    id: look.whole(fields["id"], `${at}/id`, first),
    name: look.text(fields["name"], `${at}/name`),
    agent,
    cluster: cluster === null ? null : look.text(cluster, `${at}/cluster`),
    dependencies: look
      .list(fields["dependencies"], `${at}/dependencies`, 0)
      .map((id, place) => look.whole(id, `${at}/dependencies/${place}`, 1)),
    files: look.texts(fields["files"] ?? [], `${at}/files`, 0).filter((path, place) => {
      const inside = !/^[/\\~]|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path);
      if (!inside) look.say(msg("plan.bad.file", { pointer: `${at}/files/${place}`, path }));
      return inside;
    }),
    check: check === null ? null : look.text(check, `${at}/check`),
  };
}

function wrongDependencies(steps: readonly PlannedStep[], finished: readonly number[]): Message[] {
  const done = finished.map((id) => ({ id: String(id), dependencies: [] }));
  const nodes = steps.map(({ id, dependencies }) => ({
    id: String(id),
    dependencies: dependencies.map(String),
  }));
  return findProblems([...done, ...nodes]).map((problem) => {
    if (problem.code === "CIRCULAR_DEP")
      return msg("plan.bad.cycle", { path: cycleText(problem.path) });
    if (problem.code === "DUPLICATE_ID") return msg("plan.bad.same_id", { id: problem.id });
    return msg("plan.bad.no_step", { id: problem.id, missing: problem.missing });
  });
}

function reading<T>(text: string, read: (root: unknown, look: Look) => T): Answer<T> {
  const parsed = parseJson(text);
  if (!parsed.ok)
    return {
      ok: false,
      complaints: parsed.findings.map(({ text: said, line }) =>
        msg("plan.bad.json", { line: line ?? 1, problem: said }),
      ),
    };
  const look = new Look();
  const value = read(parsed.value, look);
  return look.complaints.length === 0
    ? { ok: true, value }
    : { ok: false, complaints: look.complaints };
}

/** Collects what is wrong, and hands out an empty value in its place so that reading goes on. */
class Look {
  readonly complaints: Message[] = [];

  say(complaint: Message): void {
    this.complaints.push(complaint);
  }

  wrong(pointer: string, expected: string, got: unknown): void {
    const shown = got === undefined ? "–" : JSON.stringify(got).slice(0, longestShown);
    this.say(msg("plan.bad.value", { pointer: pointer || "/", expected, got: shown }));
  }

  fields(value: unknown, at: string, wanted: readonly string[], more: readonly string[]): Fields {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.wrong(at, "{ … }", value);
      return {};
    }
    const known = new Set([...wanted, ...more]);
    for (const name of Object.keys(value))
      if (!known.has(name)) this.say(msg("plan.bad.unknown", { pointer: at + pointerTo(name) }));
    for (const name of wanted)
      if (!Object.hasOwn(value, name))
        this.say(msg("plan.bad.missing", { pointer: at + pointerTo(name) }));
    return value as Fields;
  }

  list(value: unknown, at: string, least: number): readonly unknown[] {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.length >= least && value.length <= mostEntries) return value;
    this.wrong(at, `[${least}…${mostEntries}]`, value);
    return [];
  }

  texts(value: unknown, at: string, least: number): string[] {
    return this.list(value, at, least).map((one, place) => this.text(one, `${at}/${place}`));
  }

  text(value: unknown, at: string): string {
    if (value === undefined) return "";
    if (typeof value === "string" && isUnfilled(value)) {
      this.say(msg("plan.bad.unfilled", { pointer: at }));
      return "";
    }
    if (typeof value === "string" && value.trim() !== "" && value.length <= longestText)
      return value.trim();
    this.wrong(at, `"…" (1–${longestText})`, value);
    return "";
  }

  whole(value: unknown, at: string, least: number): number {
    if (value === undefined) return least;
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) < 1e9)
      return value as number;
    this.wrong(at, `≥ ${least}`, value);
    return least;
  }
}

type Fields = Readonly<Record<string, unknown>>;
