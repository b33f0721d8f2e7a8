// The plan at work: its goal, its steps with who does each and what it waits for, what went wrong, and
// the plans behind it.
import type { PlanTask, TaskState } from "../../../src/formats/task-state.ts";
import { Age } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import { Head, Nothing, Section, lookOf, stateWord } from "../documents/parts.tsx";
import { Fields, Points, Value } from "../documents/value.tsx";

export function PlanPane({ state }: { state: TaskState }) {
  const say = useSay();
  const { current_task: task, pending_tasks: waiting, last_updated: at } = state;
  return (
    <>
      {task === null ? (
        <>
          <Head title={say("memory.plan")} since={at} />
          <Nothing>{say("memory.plan.none")}</Nothing>
        </>
      ) : (
        <Current task={task} />
      )}
      {waiting.length === 0 ? null : (
        <Section title={say("memory.waiting")}>
          <ol className="grid gap-2">
            {waiting.map(({ id, name, plan }) => (
              <li key={id} className="grid gap-0.5 text-sm">
                <p className="flex flex-wrap gap-x-2.5">
                  <span className="font-medium wrap-anywhere">{name}</span>
                  <span className="font-mono text-xs leading-5 text-muted">{id}</span>
                </p>
                <p className="wrap-anywhere text-muted">{plan.goal}</p>
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

// --- internal ---

type Step = PlanTask["plan"]["steps"][number];

function Current({ task }: { task: PlanTask }) {
  const say = useSay();
  const { plan, context, artifacts = [], issues = [] } = task;
  const done = plan.steps.filter(({ status }) => status === "completed").length;
  return (
    <>
      <Head
        title={task.name}
        id={task.id}
        status={task.status}
        since={task.updated_at ?? task.started_at}
      >
        {plan.steps.length === 0 ? null : (
          <span>{say("graph.done", { done, total: plan.steps.length })}</span>
        )}
      </Head>
      <Fields
        rows={[
          [say("memory.goal"), plan.goal],
          [say("memory.request"), context.user_request === plan.goal ? null : context.user_request],
          [
            say("memory.criteria"),
            plan.success_criteria.length === 0 ? null : (
              <Points key="criteria" of={plan.success_criteria} />
            ),
          ],
          [say("memory.constraints"), listed(context.constraints)],
          [say("memory.resources"), listed(context.resources)],
        ]}
      />
      <Section title={say("memory.steps")}>
        {plan.steps.length === 0 ? (
          <Nothing>{say("memory.steps.none")}</Nothing>
        ) : (
          <ol className="grid">
            {plan.steps.map((step) => (
              <StepRow key={step.id} step={step} current={step.id === plan.current_step} />
            ))}
          </ol>
        )}
      </Section>
      {issues.length === 0 ? null : (
        <Section title={say("memory.issues")}>
          <Issues of={issues} />
        </Section>
      )}
      {artifacts.length === 0 ? null : (
        <Section title={say("memory.artifacts")}>
          <Artifacts of={artifacts} />
        </Section>
      )}
    </>
  );
}

function listed(of: readonly unknown[] | undefined) {
  return of === undefined || of.length === 0 ? null : <Value of={of} />;
}

function StepRow({ step, current }: { step: Step; current: boolean }) {
  const say = useSay();
  const { id, name, agent, cluster, status, dependencies, started_at: from, error, output } = step;
  const { tone, icon } = lookOf(status);
  const since = step.completed_at ?? from;
  return (
    <li
      aria-current={current ? "step" : undefined}
      className="grid grid-cols-[20px_minmax(0,1fr)_auto] gap-x-2.5 border-b border-line py-2 last:border-b-0"
    >
      <span data-tone={tone} className="pt-0.5 text-(--fg)">
        <Icon name={icon} className={`size-4 ${icon === "half" ? "pulse" : ""}`} />
        <span className="sr-only">{stateWord(say, status)}</span>
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className={`wrap-anywhere ${current ? "font-semibold" : "font-medium"}`}>
          <span className="text-muted">{id}.</span> {name}
        </p>
        <p className="flex flex-wrap gap-x-2.5 text-xs text-muted">
          <span>{agent}</span>
          {cluster == null ? null : <span>{cluster}</span>}
          {dependencies.length === 0 ? null : (
            <span>{say("memory.after", { ids: dependencies.join(", ") })}</span>
          )}
        </p>
        {error === null ? null : (
          <p data-tone="fail" className="text-sm wrap-anywhere">
            <span className="text-(--fg)">{sayWord(say, "failure_type", error.type)}</span>{" "}
            {error.message}{" "}
            <span className="text-xs text-muted">
              {say("memory.retries", { count: error.retries })}
            </span>
          </p>
        )}
        {output == null ? null : (
          <details className="text-sm">
            <summary className="w-fit text-xs text-muted hover:text-text">
              {say("memory.output")}
            </summary>
            <div className="pt-1">
              <Value of={output} />
            </div>
          </details>
        )}
      </div>
      <span className="grid content-start justify-items-end gap-0.5 text-xs text-muted">
        <span aria-hidden="true">{stateWord(say, status)}</span>
        <Age since={since} />
      </span>
    </li>
  );
}

function Issues({ of }: { of: NonNullable<PlanTask["issues"]> }) {
  const say = useSay();
  return (
    <ul className="grid gap-2 text-sm">
      {of.map(({ step_id: step, message, resolution, resolved }, place) => (
        <li key={place} className="grid gap-0.5">
          <p className="wrap-anywhere">
            {step === undefined ? null : (
              <span className="text-muted">{say("memory.step", { id: step })} </span>
            )}
            {message}
          </p>
          {resolution == null ? null : (
            <p className="flex items-start gap-1.5 wrap-anywhere text-muted">
              <span data-tone={resolved === false ? "queue" : "done"} className="pt-1 text-(--fg)">
                <Icon name={resolved === false ? "ring" : "check"} className="size-3" />
              </span>
              {resolution}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

export function Artifacts({ of }: { of: NonNullable<PlanTask["artifacts"]> }) {
  return (
    <ul className="grid gap-1 text-sm">
      {of.map(({ path, description }, place) => (
        <li key={place} className="flex flex-wrap gap-x-2.5">
          <code className="text-code wrap-anywhere">{path}</code>
          {description === undefined ? null : <span className="text-muted">{description}</span>}
        </li>
      ))}
    </ul>
  );
}
