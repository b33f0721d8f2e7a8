// "What is where?" The tasks by state, live; or as a list that stays smooth with thousands.
import { useProjects, useTasks } from "../../data/queries.ts";
import { useCount } from "../../notify.ts";
import { Button, Segments } from "../../parts/basics.tsx";
import { LineField } from "../../parts/fields.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { taskLook } from "../../parts/state.tsx";
import { sayWord, useSay } from "../../texts/index.ts";
import type { TaskView } from "../../data/api.ts";
import { useLocation } from "wouter";
import { useKeys } from "../../keys.ts";
import { TaskCard } from "./card.tsx";
import { type Filter, columns, fits, isFiltered, useFilter } from "./filter.ts";
import { TaskTable } from "./table.tsx";

/** Of a column that is longer only the newest are cards; the list has them all. */
const mostCards = 60;

export function BoardScreen() {
  const say = useSay();
  useCount(say("nav.board"));
  const [filter, setFilter] = useFilter();
  const { data, error, isPending, refetch } = useTasks();
  const shown = (data ?? []).filter((task) => fits(task, filter));
  return (
    <main className="grid min-h-0 min-w-0 grid-rows-[auto_minmax(0,1fr)]">
      <FilterBar tasks={data ?? []} shown={shown.length} filter={filter} onFilter={setFilter} />
      {isPending ? <Skeleton rows={5} /> : null}
      {error && !data ? (
        <div className="p-5">
          <ErrorNote error={error} again={() => void refetch()} />
        </div>
      ) : null}
      {data === undefined ? null : shown.length === 0 ? (
        <NothingHere filtered={isFiltered(filter)} clear={() => setFilter(noFilter)} />
      ) : filter.view === "list" ? (
        <TaskTable tasks={shown} />
      ) : (
        <Columns tasks={shown} filter={filter} onFilter={setFilter} />
      )}
    </main>
  );
}

// --- internal ---

const noFilter = { q: "", project: "", type: "", priority: "", status: "" } as const;

function NothingHere({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  const say = useSay();
  if (!filtered) return <Empty title={say("board.none")}>{say("board.none.hint")}</Empty>;
  return (
    <Empty
      title={say("board.none_fits")}
      action={<Button onClick={clear}>{say("board.clear")}</Button>}
    />
  );
}

interface BarProps {
  readonly tasks: readonly TaskView[];
  readonly shown: number;
  readonly filter: Filter;
  readonly onFilter: (change: Partial<Filter>) => void;
}

function FilterBar({ tasks, shown, filter, onFilter }: BarProps) {
  const say = useSay();
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-3 max-sm:px-4">
      <h1 className="text-lg font-semibold">{say("nav.board")}</h1>
      <span className="text-xs text-muted max-sm:hidden">
        {say("board.count", { count: shown })}
      </span>
      <div className="w-52 max-sm:order-last max-sm:w-full">
        <LineField
          type="search"
          aria-label={say("board.search")}
          placeholder={say("board.search")}
          value={filter.q}
          onChange={(q) => onFilter({ q })}
        />
      </div>
      <Picks tasks={tasks} filter={filter} onFilter={onFilter} />
      <span className="ml-auto">
        <Segments<Filter["view"]>
          label={say("board.view")}
          value={filter.view}
          of={[
            { value: "board", text: say("board.columns") },
            { value: "list", text: say("board.list") },
          ]}
          onChange={(view) => onFilter({ view, ...(view === "board" ? { status: "" } : {}) })}
        />
      </span>
    </div>
  );
}

function Picks({ tasks, filter, onFilter }: Omit<BarProps, "shown">) {
  const say = useSay();
  const { data } = useProjects();
  const types = [...new Set(tasks.map(({ type }) => type))];
  const projects = (data?.projects ?? []).map(({ id, root }) => ({
    value: id,
    text: root.split("/").at(-1) ?? id,
  }));
  return (
    <>
      {projects.length > 1 ? (
        <Pick
          label={say("board.project")}
          value={filter.project}
          of={projects}
          onPick={(project) => onFilter({ project })}
        />
      ) : null}
      <Pick
        label={say("board.type")}
        value={filter.type}
        of={types.map((type) => ({ value: type, text: sayWord(say, "new.name", type) }))}
        onPick={(type) => onFilter({ type })}
      />
      <Pick
        label={say("board.priority")}
        value={filter.priority}
        of={["critical", "high", "normal", "low"].map((each) => ({
          value: each,
          text: sayWord(say, "priority", each),
        }))}
        onPick={(priority) => onFilter({ priority })}
      />
      {filter.view === "list" ? (
        <Pick
          label={say("board.status")}
          value={filter.status}
          of={columns.map((each) => ({ value: each, text: say(`state.${each}`) }))}
          onPick={(status) => onFilter({ status })}
        />
      ) : null}
    </>
  );
}

function Pick(props: {
  readonly label: string;
  readonly value: string;
  readonly of: readonly { readonly value: string; readonly text: string }[];
  readonly onPick: (value: string) => void;
}) {
  const { label, value, of, onPick } = props;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onPick(target.value)}
      className={`min-h-8 rounded-control border bg-surface px-2 text-sm max-sm:min-h-11 ${value === "" ? "border-strong text-muted" : "border-ink font-medium"}`}
    >
      <option value="">{label}</option>
      {of.map((each) => (
        <option key={each.value} value={each.value}>
          {each.text}
        </option>
      ))}
    </select>
  );
}

interface ColumnsProps {
  readonly tasks: readonly TaskView[];
  readonly filter: Filter;
  readonly onFilter: (change: Partial<Filter>) => void;
}

function Columns({ tasks, filter, onFilter }: ColumnsProps) {
  const shown = filter.status === "" ? columns : columns.filter((each) => each === filter.status);
  useCardKeys();
  return (
    <div className="flex min-h-0 gap-2 overflow-x-auto px-3 pt-3 max-sm:snap-x">
      {shown.map((status) => (
        <Column
          key={status}
          status={status}
          tasks={tasks.filter((task) => task.status === status)}
          onAll={() => onFilter({ view: "list", status })}
        />
      ))}
    </div>
  );
}

function Column(props: {
  readonly status: (typeof columns)[number];
  readonly tasks: readonly TaskView[];
  readonly onAll: () => void;
}) {
  const say = useSay();
  const { status, tasks, onAll } = props;
  const { tone, icon } = taskLook(status);
  return (
    <section
      className={`flex min-h-0 min-w-0 flex-col max-sm:snap-start ${
        tasks.length === 0
          ? "shrink-0 basis-[112px] max-sm:hidden"
          : "shrink-0 grow basis-[188px] max-sm:basis-[82vw]"
      }`}
      aria-label={say(`state.${status}`)}
    >
      <h2
        data-tone={tone}
        className="flex items-center gap-2 px-2 pb-2 text-sm font-medium whitespace-nowrap"
      >
        <Icon name={icon} className="size-3.5 text-(--fg)" />
        {say(`state.${status}`)}
        <span className="text-xs text-muted">{tasks.length}</span>
      </h2>
      <ul className="grid min-h-0 grid-cols-[minmax(0,1fr)] content-start gap-1.5 overflow-y-auto rounded-t-card bg-sunken/60 p-1.5 flex-1">
        {tasks.slice(0, mostCards).map((task) => (
          <TaskCard key={task.id} task={task} />
        ))}
        {tasks.length > mostCards ? (
          <li className="p-2 text-center">
            <Button look="quiet" onClick={onAll}>
              {say("board.all", { count: tasks.length })}
            </Button>
          </li>
        ) : null}
      </ul>
    </section>
  );
}

function step(by: number): void {
  const cards = [...document.querySelectorAll<HTMLElement>("a[data-card]")];
  const at = cards.findIndex((card) => card === document.activeElement);
  cards[Math.min(cards.length - 1, Math.max(0, at + by))]?.focus();
}

/** Arrow keys and J, K walk the cards in the order in which they are read. */
function useCardKeys(): void {
  const [, go] = useLocation();
  useKeys([
    { keys: ["j", "arrowdown"], label: "key.next", run: () => step(1) },
    { keys: ["k", "arrowup"], label: "key.previous", run: () => step(-1) },
    { keys: ["l"], label: "key.list", run: () => go("/board?view=list") },
  ]);
}
