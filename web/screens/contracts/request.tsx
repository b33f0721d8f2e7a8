// A request: what was asked, how far each of its tasks is, gate by gate, and what was found in the code
// before it was cut into them.
import { Link } from "wouter";
import { gateNames } from "../../../src/core/vocabulary.ts";
import { useSay } from "../../texts/index.ts";
import { Head, Nothing, Section, lookOf, stateWord } from "../documents/parts.tsx";
import { Damaged } from "../documents/said.tsx";
import { Fields, Points, useCut } from "../documents/value.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useShown } from "../documents/use.ts";
import { type Request, type Subtask, damagedIn } from "./model.ts";

export function RequestPane({ request }: { request: Request }) {
  const say = useSay();
  const { id, text, status, row, session, breakdown } = request;
  const { claude_md: claude, agents_md: agents } = session?.value?.manifest ?? {};
  const manifest = [claude, agents].filter((path) => path != null);
  return (
    <>
      <Head title={text} id={id} status={status} since={session?.value?.updated_at ?? null}>
        {request.phase === null ? null : <span>{say(`contracts.phase.${phaseOf(request)}`)}</span>}
        {row === undefined ? null : (
          <Link href={`/t/${row.task}`} className="underline underline-offset-3">
            {say("contracts.open_task")}
          </Link>
        )}
      </Head>
      {damagedIn(request).map((document) => (
        <Damaged key={document.path} of={document} />
      ))}
      {row?.asks == null ? null : (
        <section data-tone="you" className="rounded-card bg-(--tint) px-4 py-3">
          <p className="text-xs font-semibold text-(--fg)">{say("contracts.asks")}</p>
          <p className="wrap-anywhere whitespace-pre-wrap">{row.asks}</p>
        </section>
      )}
      {request.tasks.length === 0 && row?.status === "pending" ? (
        <Nothing>{say("contracts.waits")}</Nothing>
      ) : null}
      <Fields
        rows={[
          [say("contracts.objective"), breakdown?.value?.objective],
          [
            say("contracts.assumptions"),
            breakdown?.value?.assumptions.length ? (
              <Points key="assumptions" of={breakdown.value.assumptions} />
            ) : null,
          ],
          [
            say("contracts.manifest"),
            manifest.length === 0 ? null : (
              <code key="manifest" className="text-code" title={manifest.join("\n")}>
                {manifest.map((path) => path.split("/").at(-1)).join(", ")}
              </code>
            ),
          ],
        ]}
      />
      <Matrix request={request} />
      <Found request={request} />
    </>
  );
}

/** Passed or not, at a glance; a name leads to the rest. */
export function Gate({ status }: { status: string | undefined }) {
  const say = useSay();
  const { tone, icon } = lookOf(status ?? "none");
  return (
    <span data-tone={tone} className="inline-grid place-items-center text-(--fg)">
      {status === undefined ? (
        <span aria-hidden="true" className="text-muted">
          –
        </span>
      ) : (
        <Icon name={icon} className="size-4" />
      )}
      <span className="sr-only">{stateWord(say, status ?? "none")}</span>
    </span>
  );
}

// --- internal ---

const phases = ["global_discovery", "task_loop", "complete"] as const;

function phaseOf({ phase }: Request): (typeof phases)[number] {
  return phases.find((each) => each === phase) ?? "task_loop";
}

function Matrix({ request }: { request: Request }) {
  const say = useSay();
  if (request.tasks.length === 0) return null;
  return (
    <Section title={say("contracts.tasks")}>
      <div
        className="overflow-x-auto"
        tabIndex={0}
        role="group"
        aria-label={say("contracts.tasks")}
      >
        <table className="w-full text-sm">
          <thead>
            <tr className="text-left text-xs text-muted">
              <th className="pb-1.5 font-medium">{say("contracts.unit")}</th>
              {gates.map((gate) => (
                <th
                  key={gate}
                  title={say(`contracts.${gate}`)}
                  className="px-2 pb-1.5 text-center font-medium whitespace-nowrap"
                >
                  <span className="max-sm:sr-only">GATE-</span>
                  {gate.slice(-1)}
                </th>
              ))}
              <th className="pb-1.5 pl-3 font-medium">{say("contracts.status")}</th>
            </tr>
          </thead>
          <tbody>
            {request.tasks.map((task) => (
              <TaskRows key={task.id} request={request} task={task} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** In the order in which they are passed (S4.4). */
const gates = [gateNames[0], gateNames[2], gateNames[3], gateNames[1]] as const;

function TaskRows({ request, task }: { request: Request; task: Request["tasks"][number] }) {
  const say = useSay();
  const { show } = useShown();
  return (
    <>
      <tr className="border-t border-line">
        <th scope="rowgroup" colSpan={gates.length + 1} className="py-1.5 text-left font-medium">
          <button
            type="button"
            className="text-left wrap-anywhere hover:underline max-sm:min-h-11"
            onClick={() => show(`${request.key} ${task.id}`)}
          >
            <span className="mr-2 font-mono text-xs text-muted">{task.id}</span>
            {task.name}
          </button>
        </th>
        <td className="py-1.5 pl-3 text-xs whitespace-nowrap text-muted">
          {stateWord(say, task.status)}
        </td>
      </tr>
      {task.subtasks.map((subtask) => (
        <SubtaskRow
          key={subtask.id}
          subtask={subtask}
          show={() => show(`${request.key} ${subtask.id}`)}
        />
      ))}
    </>
  );
}

function SubtaskRow({ subtask, show }: { subtask: Subtask; show: () => void }) {
  const say = useSay();
  return (
    <tr>
      <th scope="row" className="py-1 pl-5 text-left font-normal">
        <button
          type="button"
          className="min-w-40 text-left wrap-anywhere hover:underline max-sm:min-h-11"
          onClick={show}
        >
          <span className="mr-2 font-mono text-xs whitespace-nowrap text-muted">{subtask.id}</span>
          {subtask.name}
        </button>
      </th>
      {gates.map((gate) => (
        <td key={gate} className="px-2 py-1 text-center">
          <Gate status={subtask.gates[gate]} />
        </td>
      ))}
      <td className="py-1 pl-3 text-xs whitespace-nowrap text-muted">
        {stateWord(say, subtask.status)}
      </td>
    </tr>
  );
}

/** What code-explore saw. */
function Found({ request: { explored } }: { request: Request }) {
  const say = useSay();
  const [files, more] = useCut(explored?.value?.explored_files ?? []);
  const folders = Object.entries(explored?.value?.directory_structure ?? {});
  if (explored?.value == null) return null;
  return (
    <Section title={say("contracts.explored")}>
      {files.length + folders.length === 0 ? <Nothing>{say("docs.none")}</Nothing> : null}
      <dl className="grid gap-2 text-sm">
        {[...folders.map(([path, summary]) => ({ path: `${path}/`, summary })), ...files].map(
          ({ path, summary }, place) => (
            <div key={place}>
              <dt>
                <code className="text-code wrap-anywhere">{path}</code>
              </dt>
              <dd className="wrap-anywhere text-muted">{summary}</dd>
            </div>
          ),
        )}
      </dl>
      {more}
    </Section>
  );
}
