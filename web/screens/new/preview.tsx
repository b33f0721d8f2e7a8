// What will happen: the phases in their order, what each leaves behind, and where one is asked.
import type { TaskTypes } from "../../data/api.ts";
import { Icon } from "../../parts/icons.tsx";
import { sayWord, useSay } from "../../texts/index.ts";

export function Preview({ type }: { type: TaskTypes["types"][number] | undefined }) {
  const say = useSay();
  if (type === undefined) return null;
  return (
    <aside className="grid content-start gap-3" aria-label={say("new.preview")}>
      <h2 className="text-sm font-medium">{say("new.preview")}</h2>
      <p className="text-xs text-muted">
        {say(type.startsEmpty ? "new.preview.empty" : "new.preview.clone")}
      </p>
      {type.phases.length === 0 ? (
        <p className="text-sm">{sayWord(say, "new.preview", type.name)}</p>
      ) : null}
      <ol className="grid gap-0">
        {type.phases.map(({ name, review, deliverables }, index) => (
          <li key={name} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2.5">
            <span className="grid justify-items-center" aria-hidden="true">
              <b className="grid size-5 place-items-center rounded-full bg-sunken text-xs font-semibold">
                {index + 1}
              </b>
              <i className={`w-px flex-1 ${index < type.phases.length - 1 ? "bg-line" : ""}`} />
            </span>
            <span className="min-w-0 pb-4">
              <span className="block font-medium">{name}</span>
              <span
                data-tone={review ? "you" : "idle"}
                className="flex items-center gap-1.5 text-xs text-(--fg)"
              >
                <Icon name={review ? "eye" : "right"} className="size-3" />
                {say(review ? "new.preview.review" : "new.preview.no_review")}
              </span>
              {deliverables.length === 0 ? null : (
                <details className="text-xs text-muted">
                  <summary className="cursor-pointer">
                    {say("new.preview.files", { count: deliverables.length })}
                  </summary>
                  {deliverables.map((path) => (
                    <code key={path} className="block truncate" title={path}>
                      {path}
                    </code>
                  ))}
                </details>
              )}
            </span>
          </li>
        ))}
      </ol>
    </aside>
  );
}
