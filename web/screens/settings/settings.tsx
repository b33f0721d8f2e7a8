// How the projects are set up, what is on this machine, and what this browser is told to do. What a
// file decides is shown with its place; secrets and addresses by name alone.
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { type ProjectSettings, api } from "../../data/api.ts";
import { useProjects, useServer, useTasks } from "../../data/queries.ts";
import { useCount } from "../../notify.ts";
import { Choices } from "../../preferences.tsx";
import { Act } from "../../parts/basics.tsx";
import { Age } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { sayWord, useLanguage, useSay } from "../../texts/index.ts";
import { budgetText } from "./budgets.ts";

export function SettingsScreen() {
  const say = useSay();
  useCount(say("nav.settings"));
  const [params, setParams] = useSearchParams();
  const project = params.get("project") ?? undefined;
  const { data, error, refetch } = useQuery({
    queryKey: ["settings", project ?? ""],
    queryFn: () => api.settings({ project }),
    refetchOnMount: "always",
  });
  return (
    <main className="min-h-0 overflow-y-auto bg-surface">
      <div className="mx-auto grid max-w-3xl gap-7 px-5 py-5 max-sm:px-4">
        <h1 className="text-lg font-semibold">{say("nav.settings")}</h1>
        <Part title={say("setup.browser")}>
          <Choices />
        </Part>
        <Projects value={project} onPick={(id) => setParams({ project: id }, { replace: true })} />
        {error ? <ErrorNote error={error} again={() => void refetch()} /> : null}
        {data === undefined ? (
          error ? null : (
            <Skeleton rows={4} />
          )
        ) : (
          <OfProject of={data} project={project} />
        )}
        <Agents />
      </div>
    </main>
  );
}

// --- internal ---

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section className="grid gap-2.5">
      <h2 className="border-b border-line pb-1.5 font-medium">{title}</h2>
      {children}
      {hint === undefined ? null : <p className="text-xs text-muted">{hint}</p>}
    </section>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 text-sm">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Projects({ value, onPick }: { value: string | undefined; onPick: (id: string) => void }) {
  const say = useSay();
  const { data } = useProjects();
  return (
    <Part title={say("setup.projects")}>
      <ul className="grid gap-1">
        {(data?.projects ?? []).map(({ id, root, here, tasks }) => {
          const on = value === undefined ? here : value === id;
          return (
            <li key={id}>
              <button
                type="button"
                aria-pressed={on}
                onClick={() => onPick(id)}
                className="grid min-h-11 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 rounded-control border border-transparent px-3 py-1.5 text-left text-sm hover:bg-sunken aria-pressed:border-line aria-pressed:bg-sunken"
              >
                <span className="min-w-0">
                  <span className="block truncate font-medium">{root.split("/").at(-1)}</span>
                  <span className="block truncate font-mono text-xs text-muted">{root}</span>
                </span>
                <span className="text-right text-xs text-muted">
                  {say("setup.tasks", { count: tasks })}
                  {here ? <span className="block">{say("setup.here")}</span> : null}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

function OfProject({ of, project }: { of: ProjectSettings; project: string | undefined }) {
  const say = useSay();
  const { data: server } = useServer();
  const hint = of.file === null ? say("setup.no_file") : say("setup.file");
  return (
    <>
      <Part title={say("setup.work")} hint={hint}>
        <dl className="grid gap-1.5">
          <Line name={say("setup.agent")}>{of.agent ?? say("setup.agent.none")}</Line>
          {server === undefined ? null : (
            <Line name={say("setup.slots")}>{say("setup.slots.of", server.slots)}</Line>
          )}
          {of.permissions === null ? null : (
            <Line name={say("setup.permissions")}>
              {sayWord(say, "setup.permission", of.permissions)}
            </Line>
          )}
          {of.types.length === 0 ? null : (
            <Line name={say("setup.types")}>{of.types.join(", ")}</Line>
          )}
        </dl>
      </Part>
      <Part title={say("setup.budgets")}>
        <dl className="grid gap-1.5">
          <Line name={say("setup.budget.task")}>
            {budgetText(say, of.budgets.task) || say("setup.no_limit")}
          </Line>
          <Line name={say("setup.budget.day")}>
            {budgetText(say, of.budgets.day) || say("setup.no_limit")}
          </Line>
        </dl>
      </Part>
      <Part title={say("setup.webhooks")}>
        {of.webhooks.length === 0 ? (
          <p className="text-sm text-muted">{say("setup.webhooks.none")}</p>
        ) : null}
        <ul className="grid gap-2">
          {of.webhooks.map((hook) => (
            <Webhook key={`${hook.kind} ${hook.name}`} hook={hook} project={project} />
          ))}
        </ul>
      </Part>
      <Secrets of={of} />
    </>
  );
}

type Hook = ProjectSettings["webhooks"][number];

/** Sends one message now; the answer says whether it was taken, and nothing of the address. */
function Webhook({ hook, project }: { hook: Hook; project: string | undefined }) {
  const say = useSay();
  const test = useMutation({
    mutationFn: () =>
      api.notify({ name: hook.name, ...(project === undefined ? {} : { project }) }),
  });
  const result = test.data?.sent[0];
  return (
    <li className="grid gap-1">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Icon
          name={hook.set ? "check" : "warn"}
          className={`size-4 ${hook.set ? "text-done" : "text-you"}`}
        />
        <code className="text-code">{hook.name}</code>
        <span className="text-xs text-muted">
          {hook.kind === "slack" ? "Slack · " : ""}
          {say(hook.set ? "setup.webhook.set" : "setup.webhook.unset")}
        </span>
        <Act
          className="ml-auto"
          disabled={!hook.set || test.isPending}
          onClick={() => test.mutate()}
        >
          {say(test.isPending ? "setup.webhook.sending" : "setup.webhook.test")}
        </Act>
      </div>
      <div role="status">
        {result === undefined ? null : (
          <p data-tone={result.ok ? "done" : "fail"} className="text-sm text-(--fg)">
            {result.message}
          </p>
        )}
        {test.error ? <ErrorNote error={test.error} /> : null}
      </div>
    </li>
  );
}

function Secrets({ of }: { of: ProjectSettings }) {
  const say = useSay();
  const { data: tasks = [] } = useTasks();
  const ownerOf = (id: string | null): string =>
    id === null ? say("setup.secret.project") : (tasks.find((task) => task.id === id)?.title ?? id);
  return (
    <Part title={say("setup.secrets")} hint={say("setup.secrets.hint")}>
      {of.secrets.length === 0 ? (
        <p className="text-sm text-muted">{say("setup.secrets.none")}</p>
      ) : null}
      <ul className="grid gap-1">
        {of.secrets.map(({ name, taskId, createdAt }) => (
          <li key={`${taskId ?? ""} ${name}`} className="flex flex-wrap items-center gap-2 text-sm">
            <Icon name="key" className="size-4 text-muted" />
            <code className="text-code">{name}</code>
            <span className="text-xs text-muted">{ownerOf(taskId)}</span>
            <Age since={createdAt} className="ml-auto text-xs text-muted" />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Agents() {
  const say = useSay();
  const language = useLanguage();
  const { data, error } = useQuery({ queryKey: ["agents", language], queryFn: api.agents });
  return (
    <Part
      title={say("setup.agents")}
      {...(data?.advice === undefined ? {} : { hint: data.advice })}
    >
      {error ? <p className="text-sm text-muted">{say("setup.agents.none")}</p> : null}
      {data === undefined && !error ? <Skeleton rows={3} /> : null}
      <ul className="grid gap-2.5">
        {(data?.agents ?? []).map(({ name, version, path, usable, message, hint }) => (
          <li key={name} className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2.5 text-sm">
            <span className={`pt-1 ${usable ? "text-done" : "text-muted"}`}>
              <Icon name={usable ? "check" : "dashed"} />
            </span>
            <span className="min-w-0">
              <span className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{name}</span>
                <span className="text-xs text-muted">
                  {[version, say(usable ? "setup.usable" : "setup.not_usable")]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </span>
              {path === null ? null : (
                <span className="block truncate font-mono text-xs text-muted">{path}</span>
              )}
              <span className="block">{message}</span>
              {hint === undefined ? null : <span className="block text-xs text-muted">{hint}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
