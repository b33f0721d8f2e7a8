// A task that waits for one that failed or was deleted: what failed is tried again here, as a new task
// that takes its place.
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { type InboxItem, api } from "../../data/api.ts";
import { learn } from "../../data/queries.ts";
import { Act } from "../../parts/basics.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";

interface Props {
  readonly item: InboxItem;
  readonly onSent: (text: string) => void;
}

export function Blocked({ item, onSent }: Props) {
  const say = useSay();
  const retry = useMutation({
    mutationFn: (id: string) => api.act(id, "retry"),
    onSuccess: (answer) => {
      onSent(say("action.retry"));
      learn(answer);
    },
  });
  return (
    <>
      <ul className="grid gap-1.5">
        {item.waitsFor.map(({ id, title, status }) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            {status === null ? (
              <span>{say("inbox.blocked.deleted", { id })}</span>
            ) : (
              <>
                <Link href={`/t/${id}`} className="font-medium text-text underline">
                  {title}
                </Link>
                <Act disabled={retry.isPending} onClick={() => retry.mutate(id)}>
                  {say("action.retry")}
                </Act>
              </>
            )}
          </li>
        ))}
      </ul>
      <p>{say("inbox.blocked.way")}</p>
      {retry.error ? <ErrorNote error={retry.error} /> : null}
    </>
  );
}
