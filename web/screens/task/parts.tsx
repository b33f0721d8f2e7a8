// What a run of a workflow made for its units: one task each, newest first, with the way to it.
import { Link } from "wouter";
import type { TaskDetail } from "../../data/api.ts";
import { useParts } from "../../data/queries.ts";
import { Age } from "../../parts/figures.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { StateBadge } from "../../parts/state.tsx";
import { useSay } from "../../texts/index.ts";

export function PartsTab({ task }: { task: TaskDetail }) {
  const say = useSay();
  const { data: parts, error, refetch } = useParts(task.id);
  if (parts === undefined && error)
    return (
      <div className="p-6">
        <ErrorNote error={error} again={() => void refetch()} />
      </div>
    );
  if (parts === undefined) return <Skeleton rows={5} />;
  if (parts.length === 0) return <Empty title={say("parts.none")}>{say("parts.none.hint")}</Empty>;
  return (
    <div className="min-h-0 overflow-y-auto">
      <ul className="grid max-w-4xl px-5.5 py-3 max-sm:px-4">
        {parts.map((part) => (
          <li key={part.id} className="border-b border-line last:border-b-0">
            <Link
              href={`/t/${part.id}`}
              className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-3 py-1.5 hover:bg-sunken"
            >
              <span className="truncate">{part.title}</span>
              <StateBadge task={part} />
              <Age since={part.updatedAt} className="text-xs text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
