// The same figures by agent and by task: what was dear, and what waited longest.
import { Link } from "wouter";
import type { Metrics } from "../../data/api.ts";
import { countText, moneyText } from "../../parts/figures.tsx";
import { Glyph, taskLook } from "../../parts/state.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import { Panel } from "./charts.tsx";
import { spanText } from "./figures.ts";

export function AgentTable({ agents }: { agents: Metrics["agents"] }) {
  const say = useSay();
  const most = Math.max(...agents.map(({ workingMs }) => workingMs), 1);
  const language = useLanguage();
  return (
    <Panel title={say("metrics.by_agent")}>
      <ul className="grid gap-2.5">
        {agents.map(({ agent, costUsd, tokens, workingMs }) => (
          <li key={agent} className="grid gap-1 text-sm">
            <span className="flex flex-wrap gap-x-3">
              <span className="font-medium">{agent}</span>
              <span className="ml-auto text-muted">
                {moneyText(costUsd)} ·{" "}
                {say("metrics.tokens", { count: countText(Math.round(tokens)) })} ·{" "}
                {spanText(workingMs, language)}
              </span>
            </span>
            <span aria-hidden="true" className="h-[5px] overflow-hidden rounded-[3px] bg-sunken">
              <i
                className="block h-full bg-work"
                style={{ width: `${(workingMs / most) * 100}%` }}
              />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function TaskTable({ tasks }: { tasks: Metrics["tasks"] }) {
  const say = useSay();
  const language = useLanguage();
  const head = "py-1.5 pl-3 text-right font-medium";
  const cell = "py-1.5 pl-3 text-right whitespace-nowrap";
  return (
    <Panel title={say("metrics.by_task")}>
      <div
        className="overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label={say("metrics.by_task")}
      >
        <table className="w-full text-sm">
          <thead>
            <tr className="text-xs text-muted">
              <th className="py-1.5 text-left font-medium">{say("metrics.task")}</th>
              <th className={head}>{say("metrics.cost")}</th>
              <th className={`${head} max-sm:hidden`}>{say("metrics.token_count")}</th>
              <th className={head}>{say("metrics.legend.working")}</th>
              <th className={head}>{say("metrics.legend.waiting")}</th>
              <th className={`${head} max-sm:hidden`}>{say("metrics.limit")}</th>
              <th className={`${head} max-sm:hidden`}>{say("metrics.retries")}</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task) => (
              <tr key={task.id} className="border-t border-line">
                <td className="max-w-80 py-1.5">
                  <Link href={`/t/${task.id}`} className="flex items-center gap-2 hover:underline">
                    <Glyph {...taskLook(task.status)} small />
                    <span className="truncate">{task.title}</span>
                  </Link>
                </td>
                <td className={cell}>{moneyText(task.costUsd)}</td>
                <td className={`${cell} max-sm:hidden`}>{countText(Math.round(task.tokens))}</td>
                <td className={cell}>{spanText(task.workingMs, language)}</td>
                <td className={cell}>{spanText(task.waitingMs, language)}</td>
                <td className={`${cell} max-sm:hidden`}>{spanText(task.limitMs, language)}</td>
                <td className={`${cell} max-sm:hidden`}>{task.retries}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
