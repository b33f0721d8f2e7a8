// "What is missing to begin?" One column, checked as one types, with what will happen beside it.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { type TaskTypes, api, newKey } from "../../data/api.ts";
import { dropDraft } from "../../data/drafts.ts";
import { learn, useTypes } from "../../data/queries.ts";
import { useKeys } from "../../keys.ts";
import { useCount } from "../../notify.ts";
import { Act, Button } from "../../parts/basics.tsx";
import { ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";
import { Choices } from "./choices.tsx";
import {
  bodyOf,
  isPlanned,
  isRun,
  most,
  type NewTask,
  newTaskDraft,
  useNewTask,
  wrongWith,
} from "./form.ts";
import { Preview } from "./preview.tsx";
import { Texts } from "./texts.tsx";
import { TypeCards } from "./types.tsx";

export function NewScreen() {
  const say = useSay();
  useCount(say("nav.new"));
  const types = useTypes();
  const [task, change] = useNewTask();
  const type = types.data?.types.find(({ name }) => name === task.type);
  return (
    <main className="min-h-0 overflow-y-auto bg-surface">
      <div className="mx-auto grid max-w-5xl gap-x-10 gap-y-6 px-5 py-5 max-sm:px-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <h1 className="text-lg font-semibold lg:col-span-2">{say("nav.new")}</h1>
        <div className="grid min-w-0 content-start gap-6">
          {types.error ? (
            <ErrorNote error={types.error} again={() => void types.refetch()} />
          ) : null}
          {types.data === undefined ? (
            types.error ? null : (
              <Skeleton rows={4} />
            )
          ) : (
            <Form types={types.data.types} task={task} change={change} />
          )}
        </div>
        <Preview type={type} />
      </div>
    </main>
  );
}

// --- internal ---

interface Props {
  readonly task: NewTask;
  readonly change: (change: Partial<NewTask>) => void;
}

function Form({ types, task, change }: Props & { types: TaskTypes["types"] }) {
  const say = useSay();
  const settings = useQuery({
    queryKey: ["settings", task.project],
    queryFn: () => api.settings({ project: task.project || undefined }),
  });
  const type = types.find(({ name }) => name === task.type);
  const run = isRun(type);
  const usual = type?.agent ?? settings.data?.agent;
  const sending = useSending(task, run, usual);
  useKeys([{ keys: ["mod+enter"], label: "key.send", run: sending.start, everywhere: true }]);
  return (
    <>
      <TypeCards types={types} value={task.type} onPick={(name) => change({ type: name })} />
      {isPlanned(task) ? (
        <p className="text-sm">{say("new.of_plan")}</p>
      ) : (
        <Texts task={task} change={change} start={sending.start} />
      )}
      <Choices task={task} change={change} settings={settings.data} usual={usual} run={run} />
      <Send task={task} run={run} {...sending} />
    </>
  );
}

function useSending(task: NewTask, run: boolean, usual: string | null | undefined) {
  const [, go] = useLocation();
  // One for what a person means: pressed again after a lost answer, there is still one task.
  const key = useRef(newKey());
  const stray = useRef<{ readonly id: string; readonly key: string } | null>(null);
  const { missing, long } = wrongWith(task, run, usual);
  const ready = missing.length === 0 && long.length === 0;
  const draftable = long.length === 0 && missing.every((field) => field === "description");
  const send = useMutation({
    mutationFn: async (submit: boolean) => {
      const before = stray.current;
      // Made, but not started, and changed since: it would stay behind as a draft nobody wanted.
      if (before !== null && before.key !== key.current) await api.act(before.id, "delete");
      const made = await api.create(bodyOf(task), key.current);
      stray.current = { id: made.id, key: key.current };
      // A run of a workflow begins with its making.
      const isDraft = made.status === "draft";
      return submit && isDraft ? api.act(made.id, "submit", {}, key.current) : made;
    },
    onSuccess: (made) => {
      dropDraft(newTaskDraft);
      stray.current = null;
      learn(made);
      go(`/t/${made.id}`);
    },
  });
  // Another task than the one that was refused.
  useEffect(() => {
    key.current = newKey();
  }, [JSON.stringify(task)]);
  const start = (): void => (ready && !send.isPending ? send.mutate(true) : undefined);
  return { send, start, missing, long, ready, draftable };
}

function Send(props: { task: NewTask; run: boolean } & ReturnType<typeof useSending>) {
  const say = useSay();
  const { task, send, start, missing, long, ready, draftable } = props;
  return (
    <div className="grid gap-2.5 border-t border-line pt-4">
      {send.error ? <ErrorNote error={send.error} kept={say("error.kept")} /> : null}
      <p role="status" className="min-h-5 text-sm text-muted">
        {missing.length > 0
          ? say("new.missing", { fields: missing.map((field) => say(`new.${field}`)).join(", ") })
          : long
              .map((field) => say("new.too_long", { most: most[field], count: task[field].length }))
              .join(" ")}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Act look="primary" hint="mod+enter" disabled={!ready || send.isPending} onClick={start}>
          {say("new.start")}
        </Act>
        {props.run ? null : (
          <Act disabled={!draftable || send.isPending} onClick={() => send.mutate(false)}>
            {say("new.draft")}
          </Act>
        )}
        <Button look="quiet" onClick={() => dropDraft(newTaskDraft)}>
          {say("new.clear")}
        </Button>
        <span className="text-xs text-muted">{say("new.kept")}</span>
      </div>
    </div>
  );
}
