// What a person wants to know first: what it waits for, with its answer in place; what it is about;
// what was decided so far.
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { TaskDetail } from "../../data/api.ts";
import { Heading } from "../../parts/basics.tsx";
import { Age } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import { Answer } from "../inbox/answer.tsx";
import { isSealed, questionTitle } from "../inbox/card.tsx";
import { GoOn } from "../inbox/held.tsx";
import type { Asked } from "../inbox/sending.ts";
import { WhyList } from "./why.tsx";

export function Overview({ task }: { task: TaskDetail }) {
  const say = useSay();
  return (
    <div className="min-h-0 overflow-y-auto">
      <div className="grid max-w-3xl gap-6 px-5.5 py-5 max-sm:px-4">
        {task.failure === null ? null : (
          <section data-tone="fail" className="rounded-card bg-(--tint) px-4 py-3">
            <Heading>{say("task.failure")}</Heading>
            <p className="font-medium text-(--fg)">
              {sayWord(say, "failure", task.failure.reason)}
            </p>
            <pre tabIndex={0} className="mt-1 max-h-64 overflow-auto text-code whitespace-pre-wrap">
              {task.failure.message}
            </pre>
          </section>
        )}
        {task.held === null ? null : <Held task={task} why={task.held} />}
        {task.run === null ? null : (
          <Part title={say("task.of_run")}>
            <Link href={`/t/${task.run}`} className="underline">
              {say("task.of_run.open")}
            </Link>
          </Part>
        )}
        <Open task={task} />
        {task.waits.length > 0 ? (
          <Part title={say("task.why")}>
            <WhyList waits={task.waits} />
          </Part>
        ) : null}
        <Part title={say("task.description")}>
          <p className="whitespace-pre-wrap">{task.description}</p>
        </Part>
        {task.answers.length > 0 ? (
          <Part title={say("task.answers")}>
            <Answers task={task} />
          </Part>
        ) : null}
      </div>
    </div>
  );
}

// --- internal ---

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Heading>{title}</Heading>
      {children}
    </section>
  );
}

/** What stops a run, and the way on. */
function Held({ task, why }: { task: TaskDetail; why: string }) {
  const say = useSay();
  const may = task.actions.some(({ name, allowed }) => name === "resume" && allowed);
  return (
    <section data-tone="you" className="grid gap-1.5 rounded-card bg-(--tint) px-4 py-3">
      <h3 className="text-xs font-semibold text-(--fg)">{say("task.held")}</h3>
      <p className="font-medium whitespace-pre-wrap">{why}</p>
      {may ? <GoOn taskId={task.id} /> : null}
    </section>
  );
}

const nothing = {
  dependencyType: null,
  name: null,
  question: null,
  options: [],
  default: null,
  parts: [],
  request: null,
};

/** Questions and needs, answered here as in the Inbox. */
function Open({ task }: { task: TaskDetail }) {
  const say = useSay();
  const asked: { asked: Asked; title: string; more: string; since: string }[] = [
    ...task.openQuestions.map(({ id, question, options, parts, request, ...more }) => ({
      asked: {
        ...nothing,
        kind: "question" as const,
        id,
        taskId: task.id,
        question,
        options,
        default: more.default,
        parts,
        request,
      },
      title: questionTitle({ question, parts, request }, say),
      more: "",
      since: more.askedAt,
    })),
    ...task.openDependencies.map(({ id, type, name, description, askedAt }) => ({
      asked: {
        ...nothing,
        kind: "dependency" as const,
        id,
        taskId: task.id,
        dependencyType: type,
        name,
      },
      title: say("inbox.needs", { name }),
      more: isSealed(type) ? `${description} ${say("need.sealed")}` : description,
      since: askedAt,
    })),
  ];
  return asked.map(({ asked: each, title, more, since }) => (
    <section
      key={each.id}
      data-tone="you"
      className="grid gap-2 rounded-card border border-line border-l-[3px] border-l-you-dot px-4 py-3"
    >
      <div className="flex items-start gap-2">
        <span className="pt-1 text-(--fg)">
          <Icon name={each.kind === "question" ? "question" : "key"} />
        </span>
        <h2 className="flex-1 font-medium whitespace-pre-wrap">{title}</h2>
        <Age since={since} className="text-xs text-muted" />
      </div>
      {more === "" ? null : <p className="text-sm text-muted">{more}</p>}
      <Answer asked={each} onSent={() => undefined} />
    </section>
  ));
}

function Answers({ task }: { task: TaskDetail }) {
  const say = useSay();
  return (
    <ul className="grid gap-2">
      {task.answers.map(({ id, question, answer, status, answeredAt }) => (
        <li key={id} className="grid gap-0.5 text-sm">
          <p className="whitespace-pre-wrap text-muted">{question}</p>
          <p className="flex items-center gap-2">
            <Icon name={status === "answered" ? "check" : "cross"} className="size-3.5 text-done" />
            <span className="whitespace-pre-wrap">
              {answer === null ? sayWord(say, "question", status) : sayWord(say, "option", answer)}
            </span>
            <Age since={answeredAt} className="text-xs text-muted" />
          </p>
        </li>
      ))}
    </ul>
  );
}
