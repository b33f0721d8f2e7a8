// What has a usual answer: agent, priority, project, what it begins after, and the budget it gets.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type ProjectSettings, api } from "../../data/api.ts";
import { useProjects, useTasks } from "../../data/queries.ts";
import { Icon } from "../../parts/icons.tsx";
import { type Say, useLanguage, useSay } from "../../texts/index.ts";
import { budgetText } from "../settings/budgets.ts";
import type { NewTask } from "./form.ts";

interface Props {
  readonly task: NewTask;
  readonly change: (change: Partial<NewTask>) => void;
  readonly settings: ProjectSettings | undefined;
  /** Who works where nobody is chosen; null: no one, undefined: not known yet. */
  readonly usual: string | null | undefined;
  /** A run waits for no slot and no other task. */
  readonly run: boolean;
  /** A draft stays in its project. */
  readonly draft?: boolean;
}

const select =
  "min-h-8 w-full rounded-control border border-strong bg-surface px-2 text-sm max-sm:min-h-11";

export function Choices(props: Props) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <AgentPick {...props} />
      {props.run ? null : <PriorityPick {...props} />}
      {props.draft === true ? null : <ProjectPick {...props} />}
      <BudgetLine {...props} />
      {props.run ? null : <AfterPick {...props} />}
    </div>
  );
}

// --- internal ---

function Field({
  text,
  children,
  wide = false,
}: {
  text: string;
  children: ReactNode;
  wide?: boolean;
}) {
  return (
    <label className={`grid content-start gap-1 ${wide ? "sm:col-span-2" : ""}`}>
      <span className="text-sm font-medium">{text}</span>
      {children}
    </label>
  );
}

/** Which agents are here is asked of the machine. Where none is configured a person chooses (S6.5b). */
function AgentPick({ task, change, usual, draft = false }: Props) {
  const say = useSay();
  const language = useLanguage();
  const { data, error } = useQuery({ queryKey: ["agents", language], queryFn: api.agents });
  const all = data?.agents ?? [];
  // The sample agent is there always, and does no real work.
  const isReal = all.some(({ name, usable }) => usable && name !== "sample");
  const hints = [
    ...(usual === null ? [say("new.agent.none")] : []),
    ...(data !== undefined && !isReal ? [say("new.agent.none_found")] : []),
    ...(error ? [say("new.agent.unknown")] : []),
  ];
  return (
    <div className="grid content-start gap-1">
      <Field text={say("new.agent")}>
        <select
          className={select}
          value={task.agent}
          onChange={({ target }) => change({ agent: target.value })}
          aria-invalid={usual === null && task.agent === ""}
          aria-describedby="agent-hints"
        >
          {draft ? null : (
            <option value="">
              {usual ? say("new.agent.usual", { agent: usual }) : say("new.agent.choose")}
            </option>
          )}
          {task.agent === "" || all.some(({ name }) => name === task.agent) ? null : (
            <option value={task.agent}>{task.agent}</option>
          )}
          {all.map(({ name, usable, version }) => (
            <option key={name} value={name} disabled={!usable}>
              {agentText(say, { name, usable, version })}
            </option>
          ))}
        </select>
      </Field>
      <p id="agent-hints" className="text-xs text-muted">
        {hints.join(" ")}
      </p>
    </div>
  );
}

function agentText(
  say: Say,
  { name, usable, version }: { name: string; usable: boolean; version: string | null },
): string {
  if (!usable) return say("new.agent.not_found", { name });
  const text = [name, version].filter(Boolean).join(" ");
  return name === "sample" ? say("new.agent.sample", { name: text }) : text;
}

const priorities = ["critical", "high", "normal", "low"] as const;

function PriorityPick({ task, change }: Props) {
  const say = useSay();
  return (
    <Field text={say("new.priority")}>
      <select
        className={select}
        value={task.priority}
        onChange={({ target }) => change({ priority: target.value as NewTask["priority"] })}
      >
        {priorities.map((name) => (
          <option key={name} value={name}>
            {say(`priority.${name}`)}
          </option>
        ))}
      </select>
    </Field>
  );
}

function ProjectPick({ task, change }: Props) {
  const say = useSay();
  const { data } = useProjects();
  const all = data?.projects ?? [];
  if (all.length < 2) return null;
  return (
    <Field text={say("new.project")}>
      <select
        className={select}
        value={task.project || (all.find(({ here }) => here)?.id ?? "")}
        onChange={({ target }) => change({ project: target.value })}
      >
        {all.map(({ id, root }) => (
          <option key={id} value={id}>
            {root.split("/").at(-1)}
          </option>
        ))}
      </select>
    </Field>
  );
}

function BudgetLine({ settings }: Props) {
  const say = useSay();
  const limits = settings === undefined ? "" : budgetText(say, settings.budgets.task);
  return (
    <div className="grid content-start gap-1">
      <span className="text-sm font-medium">{say("new.budget")}</span>
      <span className="flex min-h-8 items-center text-sm text-muted">
        {limits === "" ? say("new.budget.none") : say("new.budget.as", { limits })}
      </span>
    </div>
  );
}

/** What is over can be waited for by nobody. */
function AfterPick({ task, change }: Props) {
  const say = useSay();
  const { data: tasks = [] } = useTasks();
  const open = tasks.filter(
    ({ id, status }) =>
      status !== "completed" && status !== "failed" && !task.dependsOn.includes(id),
  );
  const titleOf = (id: string): string => tasks.find((one) => one.id === id)?.title ?? id;
  if (open.length === 0 && task.dependsOn.length === 0) return null;
  return (
    <div className="grid content-start gap-1.5 sm:col-span-2">
      <Field text={say("new.after")}>
        <select
          className={select}
          value=""
          onChange={({ target }) => change({ dependsOn: [...task.dependsOn, target.value] })}
        >
          <option value="">
            {task.dependsOn.length === 0 ? say("new.after.none") : say("new.after.add")}
          </option>
          {open.slice(0, 300).map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </Field>
      <ul className="flex flex-wrap gap-1.5">
        {task.dependsOn.map((id) => (
          <li
            key={id}
            className="inline-flex items-center gap-1 rounded-full border border-line py-px pr-1 pl-2.5 text-xs"
          >
            {titleOf(id)}
            <button
              type="button"
              aria-label={say("new.after.remove", { title: titleOf(id) })}
              className="grid size-6 place-items-center rounded-full hover:bg-sunken max-sm:size-9"
              onClick={() => change({ dependsOn: task.dependsOn.filter((one) => one !== id) })}
            >
              <Icon name="cross" className="size-2.5" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
