// A draft as it may still be changed: the form of a new task, filled in. Only what is different is sent.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "wouter";
import { type TaskDetail, api } from "../../data/api.ts";
import { dropDraft, useDraft } from "../../data/drafts.ts";
import { learn, useTask, useTypes } from "../../data/queries.ts";
import { useKeys } from "../../keys.ts";
import { useCount } from "../../notify.ts";
import { Act } from "../../parts/basics.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";
import { Choices } from "./choices.tsx";
import { type NewTask, emptyTask, isRun, most } from "./form.ts";
import { Preview } from "./preview.tsx";
import { Texts } from "./texts.tsx";
import { TypeCards } from "./types.tsx";

export function EditScreen() {
  const say = useSay();
  const { id } = useParams<{ id: string }>();
  const { data: task, error, refetch } = useTask(id);
  useCount(task?.title ?? say("edit.title"));
  return (
    <main className="min-h-0 overflow-y-auto bg-surface">
      <div className="mx-auto grid max-w-5xl gap-x-10 gap-y-6 px-5 py-5 max-sm:px-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <h1 className="text-lg font-semibold lg:col-span-2">{say("edit.title")}</h1>
        {task !== undefined ? <Edited key={task.id} task={task} /> : null}
        {task === undefined && error ? (
          <ErrorNote error={error} again={() => void refetch()} />
        ) : null}
        {task === undefined && !error ? <Skeleton rows={4} /> : null}
      </div>
    </main>
  );
}

// --- internal ---

type Changes = Partial<NewTask>;
const none: Changes = {};
const changesDraft = (id: string): string => `edit.${id}`;

function Edited({ task }: { task: TaskDetail }) {
  const say = useSay();
  const [changes, setChanges] = useDraft<Changes>(changesDraft(task.id), none);
  const types = useTypes();
  const settings = useQuery({
    queryKey: ["settings", task.projectId],
    queryFn: () => api.settings({ project: task.projectId }),
  });
  const now: NewTask = { ...asForm(task), ...changes };
  const change = (more: Changes): void => setChanges((before) => ({ ...before, ...more }));
  const saving = useSaving(task.id, changes, now);
  useKeys([{ keys: ["mod+enter"], label: "key.send", run: saving.save, everywhere: true }]);
  if (task.status !== "draft" && !saving.isPending)
    return (
      <Empty
        title={say("edit.no_draft")}
        action={
          <Link href={`/t/${task.id}`} className="text-sm underline underline-offset-3">
            {task.title}
          </Link>
        }
      />
    );
  const phased = types.data?.types.filter((type) => !isRun(type)) ?? [];
  return (
    <>
      <div className="grid min-w-0 content-start gap-6">
        <TypeCards types={phased} value={now.type} onPick={(type) => change({ type })} />
        <Texts task={now} change={change} start={saving.save} />
        <Choices
          task={now}
          change={change}
          settings={settings.data}
          usual={task.agent}
          run={false}
          draft
        />
        <div className="grid gap-2.5 border-t border-line pt-4">
          {saving.error ? <ErrorNote error={saving.error} kept={say("error.kept")} /> : null}
          <div className="flex flex-wrap items-center gap-2">
            <Act
              look="primary"
              hint="mod+enter"
              disabled={!saving.ready || saving.isPending}
              onClick={saving.save}
            >
              {say("edit.save")}
            </Act>
            <span className="text-xs text-muted">{say("new.kept")}</span>
          </div>
        </div>
      </div>
      <Preview type={phased.find(({ name }) => name === now.type)} />
    </>
  );
}

function useSaving(id: string, changes: Changes, now: NewTask) {
  const [, go] = useLocation();
  const fits = now.title.length <= most.title && now.description.length <= most.description;
  const ready = Object.keys(changes).length > 0 && fits && now.title.trim() !== "";
  const edit = useMutation({
    mutationFn: () => api.act(id, "edit", changes),
    onSuccess: (task) => {
      dropDraft(changesDraft(id));
      learn(task);
      go(`/t/${id}`);
    },
  });
  const save = (): void => (ready && !edit.isPending ? edit.mutate() : undefined);
  return { save, ready, isPending: edit.isPending, error: edit.error };
}

function asForm(task: TaskDetail): NewTask {
  const { type, title, description, agent, priority, dependsOn } = task;
  return { ...emptyTask, type, title, description, agent, priority, dependsOn };
}
