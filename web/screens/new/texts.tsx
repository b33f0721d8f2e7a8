// What a task is about, in words: its title and its description.
import { Chip } from "../../parts/basics.tsx";
import { AreaField, LineField } from "../../parts/fields.tsx";
import { useSay } from "../../texts/index.ts";
import { type NewTask, most } from "./form.ts";

interface Props {
  readonly task: NewTask;
  readonly change: (change: Partial<NewTask>) => void;
  /** By Ctrl Enter. */
  readonly start: () => void;
}

export function Texts(props: Props) {
  const say = useSay();
  const { task, change } = props;
  return (
    <>
      <label className="grid gap-1">
        <span className="text-sm font-medium">{say("new.title")}</span>
        <LineField
          value={task.title}
          onChange={(title) => change({ title })}
          placeholder={say("new.title.hint")}
          aria-invalid={task.title.length > most.title}
        />
      </label>
      <Description {...props} />
    </>
  );
}

// --- internal ---

const templates = ["app", "change", "bug"] as const;

function Description({ task, change, start }: Props) {
  const say = useSay();
  const empty = task.description.trim() === "";
  return (
    <div className="grid gap-1.5">
      <label className="grid gap-1">
        <span className="text-sm font-medium">{say("new.description")}</span>
        <AreaField
          rows={6}
          value={task.description}
          onChange={(description) => change({ description })}
          onSubmit={start}
          placeholder={say("new.description.hint")}
          aria-invalid={task.description.length > most.description}
          className="min-h-36"
        />
      </label>
      {empty ? (
        <p className="flex flex-wrap items-center gap-1.5 text-xs text-muted">
          {say("new.template")}
          {templates.map((name) => (
            <Chip
              key={name}
              on={false}
              onClick={() => change({ description: say(`new.template.${name}.text`) })}
            >
              {say(`new.template.${name}`)}
            </Chip>
          ))}
        </p>
      ) : null}
    </div>
  );
}
