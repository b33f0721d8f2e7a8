// What the board shows, as it stands in the address: a link shows the same to everybody.
import { useSearchParams } from "wouter";
import type { TaskView } from "../../data/api.ts";

export const filterFields = ["q", "project", "type", "priority", "status"] as const;
export type FilterField = (typeof filterFields)[number];
export type Filter = Readonly<Record<FilterField, string>> & { readonly view: "board" | "list" };

export function useFilter(): [Filter, (change: Partial<Filter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter: Filter = {
    q: params.get("q") ?? "",
    project: params.get("project") ?? "",
    type: params.get("type") ?? "",
    priority: params.get("priority") ?? "",
    status: params.get("status") ?? "",
    view: params.get("view") === "list" ? "list" : "board",
  };
  const set = (change: Partial<Filter>): void => {
    const next = Object.entries({ ...filter, ...change }).filter(
      ([name, value]) => value !== "" && !(name === "view" && value === "board"),
    );
    setParams(new URLSearchParams(next), { replace: true });
  };
  return [filter, set];
}

export function isFiltered(filter: Filter): boolean {
  return filterFields.some((field) => filter[field] !== "");
}

export function fits(task: TaskView, filter: Filter): boolean {
  const words = filter.q.toLowerCase();
  return (
    (filter.project === "" || task.projectId === filter.project) &&
    (filter.type === "" || task.type === filter.type) &&
    (filter.priority === "" || task.priority === filter.priority) &&
    (filter.status === "" || task.status === filter.status) &&
    (words === "" || `${task.title} ${task.id} ${task.description}`.toLowerCase().includes(words))
  );
}

export const columns = [
  "draft",
  "pending",
  "in_progress",
  "review",
  "completed",
  "failed",
] as const;

/** Since when it is in this state, as far as the task itself says. */
export function inStateSince(task: TaskView): string {
  if (task.status === "completed") return task.completedAt ?? task.updatedAt;
  if (task.status === "failed") return task.failedAt ?? task.updatedAt;
  if (task.status === "in_progress") return task.startedAt ?? task.updatedAt;
  return task.status === "review" ? task.updatedAt : task.createdAt;
}
