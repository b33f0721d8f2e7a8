// What can be done with a task now: one button for what comes next, the rest in a menu. What is
// refused says why. Nothing that ends work happens at one click.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { type TaskDetail, api } from "../../data/api.ts";
import { learn } from "../../data/queries.ts";
import { Act, Button } from "../../parts/basics.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icons.tsx";
import { Menu } from "../../parts/menu.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";
import { isRun } from "./run.ts";

/** A review is decided where it is read, not here. */
const shown = [
  "submit",
  "edit",
  "pause",
  "resume",
  "retry",
  "cancel",
  "archive",
  "delete",
] as const;
type Action = (typeof shown)[number];
const asked: ReadonlySet<Action> = new Set(["cancel", "delete"]);
const direct: readonly Action[] = ["submit", "resume", "retry", "pause"];
/** Has a form of its own. */
const editing: Action = "edit";

export function Actions({ task }: { task: TaskDetail }) {
  const say = useSay();
  const [, go] = useLocation();
  const [confirm, setConfirm] = useState<Action | null>(null);
  const act = useAct(task.id, () => setConfirm(null));
  const lines = shown.flatMap((name) => task.actions.find((line) => line.name === name) ?? []);
  const first = direct.find((name) => lines.some((line) => line.name === name && line.allowed));
  const run = (name: Action): void => {
    if (name === editing) return go(`/edit/${task.id}`);
    return asked.has(name) ? setConfirm(name) : act.mutate(name);
  };
  const items = lines
    .filter(({ name }) => name !== first)
    .map(({ name, allowed, reasons }) => ({
      key: name,
      text: say(`action.${name as Action}`),
      refused: allowed ? undefined : reasons.join(" "),
      danger: asked.has(name as Action),
      run: () => run(name as Action),
    }));
  return (
    <div className="flex shrink-0 items-center gap-1.5">
      {first === undefined ? null : (
        <Act
          look={first === "submit" ? "primary" : "plain"}
          disabled={act.isPending}
          onClick={() => run(first)}
        >
          {say(`action.${first}`)}
        </Act>
      )}
      {items.length > 0 ? (
        <Menu label={say("action.more")} items={items}>
          <Icon name="dots" />
        </Menu>
      ) : null}
      {act.error && confirm === null ? (
        <Refused error={act.error} close={() => act.reset()} />
      ) : null}
      {confirm === null ? null : (
        <Confirm action={confirm} task={task} close={() => (setConfirm(null), act.reset())}>
          {act.error ? <ErrorNote error={act.error} /> : null}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setConfirm(null)}>{say("action.keep")}</Button>
            <Act look="danger" disabled={act.isPending} onClick={() => act.mutate(confirm)}>
              {say(`action.${confirm}`)}
            </Act>
          </div>
        </Confirm>
      )}
    </div>
  );
}

// --- internal ---

function useAct(id: string, onDone: () => void) {
  const [, go] = useLocation();
  return useMutation({
    mutationFn: (action: Action) => api.act(id, action),
    onSuccess: (answer, action) => {
      onDone();
      if (action === "delete") return go("/board");
      learn(answer);
      // A retry is a new task.
      if (answer.id !== id) go(`/t/${answer.id}`);
    },
  });
}

function Confirm(props: {
  action: Action;
  task: TaskDetail;
  close: () => void;
  children: React.ReactNode;
}) {
  const say = useSay();
  const which = props.action === "delete" ? "delete" : "cancel";
  const more = isRun(props.task) ? say(`confirm.${which}_run`) : "";
  return (
    <Dialog title={say(`action.${which}`)} onClose={props.close}>
      <div className="grid gap-3 px-5 py-4">
        <p>{say(`confirm.${which}`)}</p>
        {more === "" ? null : <p>{more}</p>}
        {props.children}
      </div>
    </Dialog>
  );
}

function Refused({ error, close }: { error: unknown; close: () => void }) {
  const say = useSay();
  return (
    <Dialog title={say("action.refused")} onClose={close}>
      <div className="grid gap-3 px-5 py-4">
        <ErrorNote error={error} />
        <div className="flex justify-end">
          <Button onClick={close}>{say("close")}</Button>
        </div>
      </div>
    </Dialog>
  );
}
