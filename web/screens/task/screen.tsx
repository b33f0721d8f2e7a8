// A task at its own address: /t/:id/:tab.
import { useLocation, useParams } from "wouter";
import { useTask } from "../../data/queries.ts";
import { useKeys } from "../../keys.ts";
import { useCount } from "../../notify.ts";
import { useSay } from "../../texts/index.ts";
import { TaskPane } from "./pane.tsx";

export function TaskScreen() {
  const say = useSay();
  const { id, tab } = useParams<{ id: string; tab?: string }>();
  const [, go] = useLocation();
  const { data } = useTask(id);
  useCount(data?.title ?? say("nav.task"));
  useKeys([{ keys: ["escape"], label: "key.back", run: () => history.back() }]);
  return (
    <main className="min-h-0 min-w-0 bg-surface">
      <TaskPane
        key={id}
        id={id}
        tab={tab}
        back
        onTab={(next) => go(`/t/${id}/${next}`, { replace: true })}
      />
    </main>
  );
}
