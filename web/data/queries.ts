// What the page knows, by key, and how events keep it true. An event names its task: that one is
// asked for anew and put into every list that shows it; nothing is asked for on a timer.
import { QueryClient, useQuery } from "@tanstack/react-query";
import { type ApiError, type TaskDetail, type TaskView, api } from "./api.ts";
import { type Happened, startLive } from "./live.ts";
import { onLanguage } from "./settings.ts";

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Infinity,
      gcTime: 600_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // Without a server, the stream says when it is back; then everything is asked for anew.
      retry: (count, error) => (error as ApiError).status >= 500 && count < 2,
    },
  },
});

export const useInbox = () => useQuery({ queryKey: ["inbox"], queryFn: api.inbox });
export const useTasks = () => useQuery({ queryKey: ["tasks"], queryFn: () => allTasks() });
export const useProjects = () => useQuery({ queryKey: ["projects"], queryFn: api.projects });
export const useTypes = () => useQuery({ queryKey: ["types"], queryFn: api.types });
export const useServer = () => useQuery({ queryKey: ["server"], queryFn: api.server });

/** What a run has made for its units. */
export const useParts = (run: string) =>
  useQuery({ queryKey: ["parts", run], queryFn: () => allTasks(run) });

export const useTask = (id: string) =>
  useQuery({ queryKey: ["task", id], queryFn: () => api.task(id) });

export const useReview = (id: string, reviewId: string | undefined, whole: boolean) =>
  useQuery({
    queryKey: ["review", id, reviewId ?? "", whole],
    queryFn: () => api.review(id, { reviewId, whole: whole ? true : undefined }),
    // While the next one is fetched, what is there stays.
    placeholderData: (before) => before,
  });

export const useLog = (id: string) =>
  useQuery({ queryKey: ["log", id], queryFn: () => api.log({ task: id, limit: 0 }) });

export const useSnapshots = (id: string) =>
  useQuery({ queryKey: ["snapshots", id], queryFn: () => api.snapshots(id) });

/** After an action the answer is the newest word about the task. */
export function learn(task: TaskView): void {
  void refreshTask(task.id);
  touch();
}

export function startQueries(announce: (event: Happened) => void): void {
  startLive(
    (event) => {
      changed.add(event.taskId);
      timer ??= setTimeout(flush, gatherMs);
      announce(event);
    },
    () => void client.invalidateQueries(),
  );
  onLanguage(() => void client.invalidateQueries());
}

// --- internal ---

/** Events come in bursts; four times a second is as often as anybody can read. */
const gatherMs = 250;
/** More than this many at once: the list is asked for as a whole. */
const mostSingle = 12;
const pageSize = 500;
const changed = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

async function allTasks(run?: string): Promise<TaskView[]> {
  const found: TaskView[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await api.tasks({ limit: pageSize, cursor, run });
    found.push(...page.tasks);
    if (page.cursor === null) return found;
    cursor = page.cursor;
  }
}

function flush(): void {
  timer = undefined;
  const ids = [...changed];
  changed.clear();
  touch();
  const listed = client.getQueryData<TaskView[]>(["tasks"]);
  if (ids.length > mostSingle) {
    void client.invalidateQueries({ queryKey: ["tasks"] });
    void client.invalidateQueries({ queryKey: ["parts"] });
    for (const id of ids) void client.invalidateQueries({ queryKey: ["task", id] });
  } else for (const id of ids) if (listed || isShown(id)) void refreshTask(id);
  for (const id of ids)
    for (const key of ["log", "snapshots", "review"])
      void client.invalidateQueries({ queryKey: [key, id] });
}

function isShown(id: string): boolean {
  return client.getQueryCache().find({ queryKey: ["task", id] }) !== undefined;
}

function touch(): void {
  void client.invalidateQueries({ queryKey: ["inbox"] });
  void client.invalidateQueries({ queryKey: ["server"] });
  // A run writes its documents in the same commit; nobody else tells of them.
  void client.invalidateQueries({ queryKey: ["documents"] });
}

async function refreshTask(id: string): Promise<void> {
  try {
    const task = await api.task(id);
    client.setQueryData<TaskDetail>(["task", id], task);
    // A part of a run stands with that run, in no other list.
    if (task.run !== null) void client.invalidateQueries({ queryKey: ["parts", task.run] });
    else client.setQueryData<TaskView[]>(["tasks"], (before) => before && placed(before, task));
  } catch (thrown) {
    if ((thrown as ApiError).status !== 404) return;
    client.removeQueries({ queryKey: ["task", id] });
    client.setQueryData<TaskView[]>(["tasks"], (before) => before?.filter((one) => one.id !== id));
  }
}

/** In its place, so that no row moves under the pointer; a new one comes first. */
function placed(tasks: readonly TaskView[], task: TaskDetail): TaskView[] {
  if (task.archived) return tasks.filter(({ id }) => id !== task.id);
  const at = tasks.findIndex(({ id }) => id === task.id);
  return at < 0 ? [task, ...tasks] : tasks.with(at, task);
}
