// "What do the agents know?" The memory of plans (S3): the one at work, what is shared, what each agent
// keeps, and what came of those that ended.
import type { AgentMemory } from "../../../src/formats/agent-memory.ts";
import type { SharedContext } from "../../../src/formats/shared-context.ts";
import type { TaskHistory } from "../../../src/formats/task-history.ts";
import type { TaskState } from "../../../src/formats/task-state.ts";
import type { Document, Documents } from "../../data/api.ts";
import { type Say, useSay } from "../../texts/index.ts";
import { DocumentsFrame, type Entry } from "../documents/frame.tsx";
import { Begin, Head, Nothing, Section, damagedLook, lookOf } from "../documents/parts.tsx";
import { Damaged, Notices } from "../documents/said.tsx";
import { Fields, Value } from "../documents/value.tsx";
import { HistoryPane } from "./history.tsx";
import { PlanPane } from "./plan.tsx";

export function MemoryScreen() {
  const say = useSay();
  return (
    <DocumentsFrame
      part="memory"
      title="nav.memory"
      place=".claude/memory/"
      entriesOf={(data) => entriesOf(data, say)}
      empty={
        <Begin
          title={say("memory.none")}
          hint={say("memory.none.hint")}
          commands={[say("memory.begin.plan"), "holdfast memory set shared_data.topic …"]}
        />
      }
    />
  );
}

// --- internal ---

function entriesOf({ documents }: Documents, say: Say): Entry[] {
  const of = (format: string): Document[] =>
    documents.filter((document) => document.format === format);
  return [
    ...of("task-state").map((document) => planEntry(document, say)),
    ...of("shared-context").map((document) => sharedEntry(document, say)),
    ...of("task-history").map((document) => historyEntry(document, say)),
    ...of("agent-memory").map((document, place) => agentEntry(document, place === 0, say)),
  ];
}

function planEntry(document: Document, say: Say): Entry {
  const state = document.value as TaskState | null;
  const current = state?.current_task ?? null;
  return {
    key: "plan",
    title: current?.name ?? say("memory.plan"),
    look: state === null ? damagedLook : lookOf(current?.status ?? "none"),
    group: say("memory.plan"),
    body: () =>
      state === null ? (
        <Damaged of={document} />
      ) : (
        <>
          <Notices of={document} />
          <PlanPane state={state} />
        </>
      ),
  };
}

function sharedEntry(document: Document, say: Say): Entry {
  const context = document.value as SharedContext | null;
  return {
    key: "context",
    title: say("memory.shared"),
    look: context === null ? damagedLook : { tone: "idle", icon: "list" },
    group: say("memory.all"),
    body: () => (context === null ? <Damaged of={document} /> : <SharedPane context={context} />),
  };
}

function historyEntry(document: Document, say: Say): Entry {
  const history = document.value as TaskHistory | null;
  return {
    key: "history",
    title: say("memory.history"),
    ...(history === null ? {} : { note: String(history.statistics.total_tasks) }),
    look: history === null ? damagedLook : { tone: "idle", icon: "clock" },
    body: () =>
      history === null ? (
        <Damaged of={document} />
      ) : (
        <>
          <Notices of={document} />
          <HistoryPane history={history} />
        </>
      ),
  };
}

function agentEntry(document: Document, first: boolean, say: Say): Entry {
  const memory = document.value as AgentMemory | null;
  const name =
    document.path
      .split("/")
      .at(-1)
      ?.replace(/\.json$/, "") ?? "";
  return {
    key: `agent ${name}`,
    title: memory?.agent ?? name,
    look: memory === null ? damagedLook : { tone: "idle", icon: "book" },
    ...(first ? { group: say("memory.agents") } : {}),
    body: () =>
      memory === null ? (
        <Damaged of={document} />
      ) : (
        <>
          <Notices of={document} />
          <AgentPane memory={memory} />
        </>
      ),
  };
}

function SharedPane({ context }: { context: SharedContext }) {
  const say = useSay();
  const { session, shared_data: data, preferences, last_updated: at } = context;
  return (
    <>
      <Head title={say("memory.shared")} since={at} />
      <OpenMap title={say("memory.shared_data")} of={data} none={say("memory.shared.none")} />
      <OpenMap title={say("memory.preferences")} of={preferences} />
      <Section title={say("memory.session")}>
        <Fields
          rows={[
            [
              say("docs.id"),
              <code key="id" className="text-code">
                {session.id}
              </code>,
            ],
          ]}
        />
      </Section>
    </>
  );
}

function AgentPane({ memory }: { memory: AgentMemory }) {
  const say = useSay();
  return (
    <>
      <Head title={memory.agent} since={memory.last_updated} />
      <OpenMap title={say("memory.preferences")} of={memory.preferences} />
      <OpenMap title={say("memory.cache")} of={memory.cache} />
      <OpenMap title={say("memory.statistics")} of={memory.statistics} />
    </>
  );
}

/** What people and agents put there as they like. */
function OpenMap(props: { title: string; of: Readonly<Record<string, unknown>>; none?: string }) {
  const say = useSay();
  return (
    <Section title={props.title}>
      {Object.keys(props.of).length === 0 ? (
        <Nothing>{props.none ?? say("docs.none")}</Nothing>
      ) : (
        <Value of={props.of} />
      )}
    </Section>
  );
}
