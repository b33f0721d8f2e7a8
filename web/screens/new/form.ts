// What is typed for a new task, kept as one types, and what is still wrong with it. The rules are
// those of the server (S1.2 and the schema of `task create`), so that it never refuses what was fine here.
import { taskCreate } from "../../../src/app/generated/limits.js";
import { useDraft } from "../../data/drafts.ts";

export interface NewTask {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** "": what the project says. */
  readonly agent: string;
  readonly priority: "critical" | "high" | "normal" | "low";
  readonly dependsOn: readonly string[];
  /** "": the server's own. */
  readonly project: string;
}

export const emptyTask: NewTask = {
  type: "",
  title: "",
  description: "",
  agent: "",
  priority: "normal",
  dependsOn: [],
  project: "",
};

export const newTaskDraft = "new-task";

export function useNewTask(): [NewTask, (change: Partial<NewTask>) => void] {
  const [draft, setDraft] = useDraft<NewTask>(newTaskDraft, emptyTask);
  // An older draft may lack what came later.
  const task = { ...emptyTask, ...draft };
  return [task, (change) => setDraft((before) => ({ ...emptyTask, ...before, ...change }))];
}

/** As the schema of `task create` has them. */
export const most: Readonly<Record<"title" | "description", number>> = taskCreate;

export interface Wrong {
  readonly missing: readonly ("type" | "title" | "description" | "agent")[];
  readonly long: readonly (keyof typeof most)[];
}

/** A workflow with documents of its own: it begins at once, and is never a draft. */
export const isRun = (type: { readonly phases: readonly unknown[] } | undefined): boolean =>
  type?.phases.length === 0;

/** The one whose plan says everything. */
export const isPlanned = ({ type }: NewTask): boolean => type === "orchestrate";

/** `usual`: who works where nobody is chosen; null: no one (S6.5b), undefined: not known yet. */
export function wrongWith(task: NewTask, run: boolean, usual: string | null | undefined): Wrong {
  const needed = isPlanned(task)
    ? (["type"] as const)
    : run
      ? (["type", "title"] as const)
      : (["type", "title", "description"] as const);
  const agent = usual === null ? (["agent"] as const) : [];
  return {
    missing: [...needed, ...agent].filter((field) => task[field].trim() === ""),
    long: (["title", "description"] as const).filter((field) => task[field].length > most[field]),
  };
}

/** What is sent: nothing that was not chosen. */
export function bodyOf(task: NewTask): object {
  const { type, title, description, agent, priority, dependsOn, project } = task;
  return {
    type,
    title: isPlanned(task) ? "TASKS.md" : title.trim(),
    ...(isPlanned(task) ? {} : { description }),
    priority,
    ...(agent === "" ? {} : { agent }),
    ...(project === "" ? {} : { project }),
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
  };
}
