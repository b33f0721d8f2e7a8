// What an agent needs of a person: a key, a file, a yes. The value lives in its field alone until it is
// sent: it is kept nowhere in the browser.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../data/api.ts";
import { learn } from "../../data/queries.ts";
import { Act } from "../../parts/basics.tsx";
import { LineField } from "../../parts/fields.tsx";
import { ErrorNote } from "../../parts/notes.tsx";
import { type Say, sayWord, useSay } from "../../texts/index.ts";
import type { AnswerProps } from "./sending.ts";

export function Provide({ asked, onSent }: AnswerProps) {
  const say = useSay();
  const { id, taskId, dependencyType: type, name } = asked;
  const [value, setValue] = useState("");
  const provide = useMutation({
    mutationFn: (given: string) =>
      api.act(taskId, "provide", {
        dependencyId: id,
        [type === "file" ? "file" : "value"]: given,
        ...(type === "package" ? { confirmed: true } : {}),
      }),
    onSuccess: (task, given) => {
      setValue("");
      onSent(sentText(type, given, say));
      learn(task);
    },
  });
  const go = (given: string): void => {
    if (given !== "" && !provide.isPending) provide.mutate(given);
  };
  return (
    <div className="grid gap-1.5">
      {type === "permission" ? (
        <div className="flex gap-1.5">
          {["yes", "no"].map((word) => (
            <Act key={word} onClick={() => go(word)}>
              {sayWord(say, "option", word)}
            </Act>
          ))}
        </div>
      ) : (
        <div className="flex gap-1.5">
          {type === "file" ? (
            <FilePick label={name ?? ""} onPick={setValue} />
          ) : (
            <LineField
              type={type === "package" ? "text" : "password"}
              autoComplete="off"
              spellCheck={false}
              aria-label={say("need.value", { name: name ?? "" })}
              placeholder={say(type === "package" ? "need.package" : "need.paste")}
              value={value}
              onChange={setValue}
              onSubmit={go}
            />
          )}
          <Act disabled={value === "" || provide.isPending} onClick={() => go(value)}>
            {say("need.provide")}
          </Act>
        </div>
      )}
      {provide.error ? <ErrorNote error={provide.error} /> : null}
    </div>
  );
}

// --- internal ---

/** Never a secret. */
function sentText(type: AnswerProps["asked"]["dependencyType"], given: string, say: Say): string {
  if (type === "permission") return sayWord(say, "option", given);
  return type === "package" ? given : say("need.provided");
}

/** The file's bytes in base64, whatever it holds. */
function FilePick({ label, onPick }: { label: string; onPick: (base64: string) => void }) {
  return (
    <input
      type="file"
      aria-label={label}
      className="min-w-0 flex-1 text-sm"
      onChange={({ target }) =>
        void target.files?.[0]?.arrayBuffer().then((read) => onPick(base64Of(read)))
      }
    />
  );
}

function base64Of(read: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(read), (byte) => String.fromCharCode(byte)).join(""));
}
