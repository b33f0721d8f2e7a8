// The units of a run, in the order of its plan: each with its state, why it waits, and the way to the task
// that was made for it.
import { Link } from "wouter";
import type { TaskDetail, TaskView } from "../../data/api.ts";
import { useParts } from "../../data/queries.ts";
import { Age } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { StateBadge } from "../../parts/state.tsx";
import { useSay } from "../../texts/index.ts";
import { unitLooks } from "../graph/model.ts";
import { useUnits } from "../graph/use.ts";
import { type Graph, type UnitLine, type Waits, linesOf } from "./units.ts";

export function PartsTab({ task }: { task: TaskDetail }) {
  // One that is over left its documents to the next.
  return planned.has(task.type) && task.status === "in_progress" ? (
    <Planned task={task} />
  ) : (
    <Parts task={task} graph={undefined} />
  );
}

// --- internal ---

const planned: ReadonlySet<string> = new Set(["orchestrate", "develop", "plan", "request"]);

function Planned({ task }: { task: TaskDetail }) {
  const { data, error } = useUnits(task.projectId, task.type);
  // No plan is there yet: what makes it is shown all the same.
  if (data === undefined && !error) return <Skeleton rows={5} />;
  return <Parts task={task} graph={data} />;
}

function Parts({ task, graph }: { task: TaskDetail; graph: Graph | undefined }) {
  const say = useSay();
  const { data: parts, error, refetch } = useParts(task.id);
  if (parts === undefined && error)
    return (
      <div className="p-6">
        <ErrorNote error={error} again={() => void refetch()} />
      </div>
    );
  if (parts === undefined) return <Skeleton rows={5} />;
  const lines = linesOf(graph, parts);
  if (lines.length === 0) return <Empty title={say("parts.none")}>{say("parts.none.hint")}</Empty>;
  return (
    <div className="min-h-0 overflow-y-auto">
      <ul className="grid max-w-4xl px-5.5 py-3 max-sm:px-4">
        {lines.map((line) => (
          <li
            key={`${line.id} ${line.part?.id ?? ""}`}
            className="border-b border-line last:border-b-0"
          >
            <Row line={line} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const row = "grid min-h-11 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-3 py-1.5";

function Row({ line: { id, title, unit, part, waits } }: { line: UnitLine<TaskView> }) {
  const name = (
    <span className="grid min-w-0">
      <span className="truncate">
        {unit === null ? null : <span className="font-mono text-xs text-muted">{id} </span>}
        {title}
      </span>
      {waits === null ? null : <Why waits={waits} />}
    </span>
  );
  if (part === null)
    return (
      <div className={row}>
        {name}
        {unit === null ? null : <UnitBadge state={unit.state} />}
        <span />
      </div>
    );
  return (
    <Link href={`/t/${part.id}`} className={`${row} hover:bg-sunken`}>
      {name}
      <StateBadge task={part} />
      <Age since={part.updatedAt} className="text-xs text-muted" />
    </Link>
  );
}

function UnitBadge({ state }: { state: keyof typeof unitLooks }) {
  const say = useSay();
  const { tone, icon } = unitLooks[state];
  return (
    <span
      data-tone={tone}
      className="inline-flex items-center gap-1.5 rounded-control bg-(--tint) px-2 py-px text-xs font-semibold whitespace-nowrap text-(--fg)"
    >
      <Icon name={icon} className="size-3.5" /> {say(`unit.${state}`)}
    </span>
  );
}

function Why({ waits }: { waits: Waits }) {
  const say = useSay();
  const text =
    waits.kind === "units"
      ? say("parts.waits.units", { ids: waits.ids.join(", ") })
      : waits.kind === "phase"
        ? say("parts.waits.phase", { phase: waits.phase })
        : say("parts.waits.turn");
  return <span className="truncate text-xs text-muted">{text}</span>;
}
