// The kinds of a task as cards: what each is for, how many phases it has, how often one is asked.
import type { TaskTypes } from "../../data/api.ts";
import { type Say, sayWord, useSay } from "../../texts/index.ts";

interface Props {
  readonly types: TaskTypes["types"];
  readonly value: string;
  readonly onPick: (name: string) => void;
}

export function TypeCards({ types, value, onPick }: Props) {
  const say = useSay();
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{say("new.type")}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {types.map(({ name, title, builtIn, phases }) => {
          const reviews = phases.filter(({ review }) => review).length;
          return (
            <label
              key={name}
              className="grid cursor-pointer grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 rounded-card border border-line px-3 py-2.5 hover:bg-sunken has-checked:border-ink has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-ring"
            >
              <input
                type="radio"
                name="type"
                value={name}
                checked={name === value}
                onChange={() => onPick(name)}
                className="mt-1 self-start accent-(--ink)"
              />
              <span className="min-w-0">
                <span className="block font-medium">{titleOf(say, { name, title })}</span>
                <span className="block text-xs text-muted">
                  {builtIn ? sayWord(say, "new.type", name) : say("new.own")}
                </span>
                {phases.length === 0 ? null : (
                  <span className="block text-xs text-muted">
                    {[
                      say("new.phases", { count: phases.length }),
                      ...(reviews > 0 ? [say("new.reviews", { count: reviews })] : []),
                    ].join(" · ")}
                  </span>
                )}
              </span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

// --- internal ---

/** A workflow with documents of its own comes with a sentence; a card wants a name. */
function titleOf(say: Say, { name, title }: { name: string; title: string }): string {
  const own = sayWord(say, "new.name", name);
  return own === name ? title || name : own;
}
