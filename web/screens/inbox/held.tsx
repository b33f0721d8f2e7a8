// A run that is held: what stops it is put right elsewhere, and here it is let go on.
import { useMutation } from "@tanstack/react-query";
import { api } from "../../data/api.ts";
import { learn } from "../../data/queries.ts";
import { Act } from "../../parts/basics.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { useSay } from "../../texts/index.ts";

interface Props {
  readonly taskId: string;
  readonly onSent?: (text: string) => void;
}

export function GoOn({ taskId, onSent }: Props) {
  const say = useSay();
  const resume = useMutation({
    mutationFn: () => api.act(taskId, "resume"),
    onSuccess: (answer) => {
      onSent?.(say("action.resume"));
      learn(answer);
    },
  });
  return (
    <>
      <p>{say("task.held.way")}</p>
      <Act
        look="primary"
        className="justify-self-start"
        disabled={resume.isPending}
        onClick={() => resume.mutate()}
      >
        {say("action.resume")}
      </Act>
      {resume.error ? <ErrorNote error={resume.error} /> : null}
    </>
  );
}
