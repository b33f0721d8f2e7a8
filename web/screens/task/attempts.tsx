// Each claim that was looked at, and each end of an agent: what was found wrong, in the words it was
// told.
import type { TaskDetail } from "../../data/api.ts";
import { Age, shortDuration } from "../../parts/figures.tsx";
import { Empty } from "../../parts/notes.tsx";
import { Glyph } from "../../parts/state.tsx";
import { sayWord, useLanguage, useSay } from "../../texts/index.ts";

export function AttemptsTab({ task }: { task: TaskDetail }) {
  const say = useSay();
  if (task.attempts.length === 0)
    return <Empty title={say("attempts.none")}>{say("attempts.none.hint")}</Empty>;
  return (
    <div className="min-h-0 overflow-y-auto">
      <ol className="grid max-w-4xl gap-4 px-5.5 py-5 max-sm:px-4">
        {task.attempts.map((attempt) => (
          <AttemptCard key={attempt.id} task={task} attempt={attempt} />
        ))}
      </ol>
    </div>
  );
}

// --- internal ---

function AttemptCard({
  task,
  attempt,
}: {
  task: TaskDetail;
  attempt: TaskDetail["attempts"][number];
}) {
  const say = useSay();
  const language = useLanguage();
  const { phase, status, startedAt, endedAt, problem, took } = attempt;
  const passed = status === "passed";
  return (
    <li className="grid grid-cols-[24px_minmax(0,1fr)] gap-2.5">
      <Glyph tone={passed ? "done" : "fail"} icon={passed ? "check" : "cross"} />
      <div className="grid gap-1.5">
        <p className="flex flex-wrap items-baseline gap-2">
          <span className="font-medium">
            {phase} {task.phases[phase - 1]?.name ?? ""}
          </span>
          <span>{sayWord(say, "attempt", status)}</span>
          {took === null ? null : (
            <span className="text-xs text-muted">
              {say("attempts.took", { time: shortDuration(took.milliseconds, language) })}
            </span>
          )}
          <Age since={endedAt ?? startedAt} className="ml-auto text-xs text-muted" />
        </p>
        {took === null || took.commands.length === 0 ? null : (
          <ul className="grid gap-0.5 text-xs text-muted">
            {took.commands.map(({ command, milliseconds }, place) => (
              <li key={place} className="flex items-baseline gap-2">
                <code className="min-w-0 text-code text-text">{command}</code>
                <span className="whitespace-nowrap">{shortDuration(milliseconds, language)}</span>
              </li>
            ))}
          </ul>
        )}
        {problem === null ? null : (
          <pre
            tabIndex={0}
            className="max-h-80 overflow-auto rounded-control bg-sunken px-3 py-2 text-code whitespace-pre-wrap"
          >
            {problem}
          </pre>
        )}
      </div>
    </li>
  );
}
