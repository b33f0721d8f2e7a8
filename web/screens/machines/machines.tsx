// "How did it get here?" The table of a machine as a diagram: the path walked so far, where it
// stands, and for each arrow what its guard asks and when it was taken.
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type Log, type TaskDetail, api } from "../../data/api.ts";
import { useLog } from "../../data/queries.ts";
import { Segments } from "../../parts/basics.tsx";
import { ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import { ArrowList } from "./arrows.tsx";
import { type Machine, arrowKey, diagramOf } from "./diagram.ts";
import { DiagramView } from "./view.tsx";

export function MachinesTab({ task }: { task: TaskDetail }) {
  const say = useSay();
  const language = useLanguage();
  const log = useLog(task.id);
  const machines = useQuery({ queryKey: ["machines", language], queryFn: api.machines });
  const lives = useMemo(() => livesOf(log.data, task.id), [log.data, task.id]);
  const [chosen, setChosen] = useState(task.id);
  const life = lives.find(({ id }) => id === chosen) ?? lives[0];
  const machine = machines.data?.machines.find(({ name }) => name === life?.machine);
  const error = log.error ?? machines.error;
  if (error)
    return (
      <div className="p-5">
        <ErrorNote error={error} />
      </div>
    );
  if (machine === undefined || life === undefined) return <Skeleton rows={5} />;
  return (
    <div className="min-h-0 overflow-y-auto">
      <div className="grid gap-4 px-5.5 py-4 max-sm:px-4">
        <span>
          <Segments
            label={say("machines.title")}
            value={life.id}
            of={lives.map(({ id, machine: of, number }) => ({
              value: id,
              text: `${say(`machine.${of}`)}${number > 1 ? ` ${number}` : ""}`,
            }))}
            onChange={setChosen}
          />
        </span>
        <Shown key={life.id} machine={machine} walked={life.walked} />
      </div>
    </div>
  );
}

export type Step = Log["transitions"][number];

// --- internal ---

interface Life {
  readonly id: string;
  readonly machine: "task" | "agent";
  readonly number: number;
  readonly walked: readonly Step[];
}

/** The task's own, then one for each of its agents, in the order in which they began. */
function livesOf(log: Log | undefined, taskId: string): Life[] {
  const lives = new Map<string, Step[]>([[taskId, []]]);
  for (const step of log?.transitions ?? []) {
    if (step.machine !== "task" && step.machine !== "agent") continue;
    lives.set(step.entityId, [...(lives.get(step.entityId) ?? []), step]);
  }
  return [...lives].map(([id, walked], place) => ({
    id,
    machine: id === taskId ? "task" : "agent",
    number: id === taskId ? 1 : place,
    walked,
  }));
}

function Shown({ machine, walked }: { machine: Machine; walked: readonly Step[] }) {
  const diagram = useMemo(() => diagramOf(machine), [machine]);
  const taken = useMemo(() => {
    const found = new Map<string, Step[]>();
    for (const step of walked) {
      const key = arrowKey(step.from, step.to);
      found.set(key, [...(found.get(key) ?? []), step]);
    }
    return found;
  }, [walked]);
  const [picked, setPicked] = useState<string | null>(null);
  const now = walked.at(-1)?.to ?? machine.initial;
  return (
    <>
      <DiagramView
        diagram={diagram}
        machine={machine}
        taken={taken}
        now={now}
        picked={picked}
        onPick={setPicked}
      />
      <ArrowList
        arrows={diagram.arrows}
        machine={machine}
        taken={taken}
        picked={picked}
        onPick={setPicked}
        walked={walked}
      />
    </>
  );
}
