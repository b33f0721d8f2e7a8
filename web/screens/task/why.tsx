// Why it stands where it stands: what holds it, since when, and who can clear it.
import { Link } from "wouter";
import type { TaskDetail, Wait } from "../../data/api.ts";
import { useTasks } from "../../data/queries.ts";
import { Age, clockTime } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Glyph, waitLooks } from "../../parts/state.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";

/** In a few words beside the state. */
export function WhyLine({ task }: { task: TaskDetail }) {
  const say = useSay();
  const language = useLanguage();
  const frozen = task.agentStatus?.startsWith("waiting_") === true || task.agentStatus === "paused";
  const wait = task.waits.find(({ clears }) => clears === "itself");
  if (task.status === "failed" && task.failure)
    return (
      <span className="text-fail">
        {task.failure.message || say(`failure.${known(task.failure.reason)}`)}
      </span>
    );
  if (wait !== undefined)
    return (
      <span
        data-tone={waitLooks[wait.kind].tone}
        className="inline-flex items-center gap-1.5 text-(--fg)"
      >
        <Icon name={waitLooks[wait.kind].icon} className="size-3" />
        {say(`wait.${wait.kind}`)}
        {wait.until === null
          ? null
          : ` · ${say("wait.until", { time: clockTime(wait.until, language) })}`}
      </span>
    );
  if (!frozen) return null;
  return (
    <span data-tone="ice" className="inline-flex items-center gap-1.5 text-(--fg)">
      <Icon name="pause" className="size-3" />
      {say("task.frozen")}
    </span>
  );
}

/** All of it, one line each: the same facts as `holdfast why`. */
export function WhyList({ waits }: { waits: readonly Wait[] }) {
  const say = useSay();
  if (waits.length === 0) return null;
  return (
    <ul className="grid gap-2">
      {waits.map((wait) => (
        <li key={`${wait.kind}${wait.ids.join()}`} className="flex items-start gap-2.5">
          <Glyph {...waitLooks[wait.kind]} small />
          <div className="min-w-0 flex-1 text-sm">
            <p>
              <span className="font-medium">{say(`wait.${wait.kind}`)}</span>{" "}
              <Age since={wait.since} className="text-xs text-muted" />
            </p>
            <p className="text-xs text-muted">
              <Clears wait={wait} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

// --- internal ---

function Clears({ wait }: { wait: Wait }) {
  const say = useSay();
  const language = useLanguage();
  const { data: tasks = [] } = useTasks();
  if (wait.kind === "tasks")
    return (
      <>
        {say(wait.clears === "you" ? "wait.tasks.stuck" : "wait.tasks.clears")}{" "}
        {wait.ids.map((id) => (
          <Link key={id} href={`/t/${id}`} className="mr-2 underline underline-offset-3">
            {tasks.find((task) => task.id === id)?.title ?? id}
          </Link>
        ))}
      </>
    );
  if (wait.kind === "slot" && wait.ids.length > 0)
    return say("wait.slot.ahead", { count: wait.ids.length });
  if (wait.until !== null) return say("wait.until", { time: clockTime(wait.until, language) });
  return say(`wait.${wait.kind}.clears`);
}

const failures = ["cancelled", "fatal_error", "verification_failed", "attempts"] as const;

function known(reason: string): (typeof failures)[number] {
  return failures.find((each) => each === reason) ?? "fatal_error";
}
