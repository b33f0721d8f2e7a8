// "What binds the agents of a request?" Sessions, tasks with their brief and design, subtasks with their
// gates and tests, and what the project taught (S4).
import type { Knowledge } from "../../../src/formats/knowledge.ts";
import type { Document, Documents } from "../../data/api.ts";
import { type Say, useSay } from "../../texts/index.ts";
import { DocumentsFrame, type Entry } from "../documents/frame.tsx";
import { Begin, damagedLook, lookOf } from "../documents/parts.tsx";
import { Damaged } from "../documents/said.tsx";
import { KnowledgePane } from "./knowledge.tsx";
import { type Request, broken, damagedIn, requestsOf } from "./model.ts";
import { RequestPane } from "./request.tsx";
import { SubtaskPane } from "./subtask.tsx";
import { TaskPane } from "./task.tsx";

export function ContractsScreen() {
  const say = useSay();
  return (
    <DocumentsFrame
      part="contracts"
      title="nav.contracts"
      place=".claude/orchestrator/"
      entriesOf={(data) => entriesOf(data, say)}
      empty={
        <Begin
          title={say("contracts.none")}
          hint={say("contracts.none.hint")}
          commands={[say("contracts.begin.request"), "holdfast request learn"]}
        />
      }
    />
  );
}

// --- internal ---

function entriesOf(data: Documents, say: Say): Entry[] {
  const requests = requestsOf(data);
  return [
    ...requests.flatMap((request, place) =>
      requestEntries(request, place === 0 ? say("contracts.requests") : undefined),
    ),
    ...data.documents
      .filter(({ format }) => format === "knowledge")
      .map((document, place) => knowledgeEntry(document, place, say)),
  ];
}

function requestEntries(request: Request, group: string | undefined): Entry[] {
  const { key, id, text, status, tasks } = request;
  return [
    {
      key,
      id,
      title: text,
      look: damagedIn(request).length > 0 ? damagedLook : lookOf(status),
      ...(group === undefined ? {} : { group }),
      body: () => <RequestPane request={request} />,
    },
    ...tasks.flatMap((task): Entry[] => [
      {
        key: `${key} ${task.id}`,
        id: task.id,
        title: task.name,
        depth: 1,
        look: broken(task.brief, task.design).length > 0 ? damagedLook : lookOf(task.status),
        body: () => <TaskPane task={task} />,
      },
      ...task.subtasks.map((subtask): Entry => ({
        key: `${key} ${subtask.id}`,
        id: subtask.id,
        title: subtask.name,
        depth: 2,
        look:
          broken(subtask.contract, subtask.result).length > 0
            ? damagedLook
            : lookOf(Object.values(subtask.gates).includes("failed") ? "failed" : subtask.status),
        body: () => <SubtaskPane subtask={subtask} />,
      })),
    ]),
  ];
}

function knowledgeEntry(document: Document, place: number, say: Say): Entry {
  const knowledge = document.value as Knowledge | null;
  return {
    key: place === 0 ? "knowledge" : `knowledge ${place}`,
    title: knowledge?.project.name ?? document.path,
    look: knowledge === null ? damagedLook : { tone: "idle", icon: "book" },
    ...(place === 0 ? { group: say("contracts.knowledge") } : {}),
    body: () =>
      knowledge === null ? <Damaged of={document} /> : <KnowledgePane knowledge={knowledge} />,
  };
}
