// Moments to come back to. Going back shows first which files it would change, and can itself be
// undone: what stands now is kept before anything is touched.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Snapshots, type TaskDetail, api } from "../../data/api.ts";
import { learn, useSnapshots } from "../../data/queries.ts";
import { Act, Button } from "../../parts/basics.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Age } from "../../parts/figures.tsx";
import { Empty, ErrorNote, Skeleton } from "../../parts/notes.tsx";
import { sayWord, useSay } from "../../texts/index.ts";

type Snapshot = Snapshots["snapshots"][number];

export function SnapshotsTab({ task }: { task: TaskDetail }) {
  const say = useSay();
  const { data, error } = useSnapshots(task.id);
  const [chosen, setChosen] = useState<Snapshot | null>(null);
  if (error && !data)
    return (
      <div className="p-5">
        <ErrorNote error={error} />
      </div>
    );
  if (data === undefined) return <Skeleton rows={4} />;
  if (data.snapshots.length === 0)
    return <Empty title={say("snapshots.none")}>{say("snapshots.none.hint")}</Empty>;
  return (
    <div className="min-h-0 overflow-y-auto">
      <ul className="grid max-w-4xl px-5.5 py-3 max-sm:px-4">
        {data.snapshots.map((snapshot) => (
          <li
            key={snapshot.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2 text-sm"
          >
            <span className="w-10 text-xs text-muted">#{snapshot.seq}</span>
            <span className="font-medium">{sayWord(say, "snapshot", snapshot.reason)}</span>
            <span className="text-xs text-muted">
              {[
                snapshot.phase === null ? null : (task.phases[snapshot.phase - 1]?.name ?? null),
                say("snapshots.files", { count: snapshot.files }),
                `${snapshot.progress} %`,
              ]
                .filter((part) => part !== null)
                .join(" · ")}
            </span>
            <Age since={snapshot.createdAt} className="ml-auto text-xs text-muted" />
            <Button onClick={() => setChosen(snapshot)}>{say("snapshots.preview")}</Button>
          </li>
        ))}
      </ul>
      {chosen === null ? null : (
        <Preview task={task} snapshot={chosen} close={() => setChosen(null)} />
      )}
    </div>
  );
}

// --- internal ---

function Preview({
  task,
  snapshot,
  close,
}: {
  task: TaskDetail;
  snapshot: Snapshot;
  close: () => void;
}) {
  const say = useSay();
  const preview = useQuery({
    queryKey: ["snapshots", task.id, snapshot.id],
    queryFn: () => api.snapshots(task.id, { changes: snapshot.id }),
    staleTime: 0,
  });
  const restore = useMutation({
    mutationFn: () => api.act(task.id, "restore", { snapshot: snapshot.id }),
    onSuccess: (answer) => {
      learn(answer);
      close();
    },
  });
  return (
    <Dialog title={say("snapshots.back_to", { seq: snapshot.seq })} onClose={close} wide>
      <div className="grid gap-3 px-5 py-4">
        {preview.isPending ? <Skeleton rows={2} /> : null}
        {preview.error ? <ErrorNote error={preview.error} /> : null}
        {preview.data ? <Changes changes={preview.data.changes ?? []} /> : null}
        <p className="text-sm text-muted">{say("snapshots.kept")}</p>
        {restore.error ? <ErrorNote error={restore.error} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{say("close")}</Button>
          <Act
            look="danger"
            disabled={restore.isPending || !preview.data}
            onClick={() => restore.mutate()}
          >
            {say("snapshots.restore")}
          </Act>
        </div>
      </div>
    </Dialog>
  );
}

function Changes({ changes }: { changes: NonNullable<Snapshots["changes"]> }) {
  const say = useSay();
  if (changes.length === 0) return <p>{say("snapshots.same")}</p>;
  return (
    <>
      <p className="font-medium">{say("snapshots.changes", { count: changes.length })}</p>
      <ul className="max-h-72 overflow-y-auto rounded-control border border-line">
        {changes.map(({ path, status, additions, deletions }) => (
          <li
            key={path}
            className="flex items-center gap-2 border-b border-line px-3 py-1 text-sm last:border-b-0"
          >
            <code className="min-w-0 flex-1 text-code">{path}</code>
            <span className="text-xs text-muted">{sayWord(say, "change", status)}</span>
            <span className="text-xs text-muted">
              +{additions} -{deletions}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
