// What `doctor` says of a document, in its place: never a blank where something is damaged.
import type { Document } from "../../data/api.ts";
import { Icon } from "../../parts/icons.tsx";
import type { Tone } from "../../parts/state.tsx";
import { useSay } from "../../texts/index.ts";

export function Said(props: {
  readonly path: string;
  readonly message: string;
  readonly hint: string | null;
  readonly tone: Tone;
}) {
  const { path, message, hint, tone } = props;
  return (
    <section data-tone={tone} className="grid gap-1 rounded-card bg-(--tint) px-4 py-3 text-sm">
      <code className="text-xs wrap-anywhere text-(--fg)">{path}</code>
      <p className="font-medium">{message}</p>
      {hint === null ? null : <p>{hint}</p>}
    </section>
  );
}

/** A document that could not be read, with all that is wrong with it and where. */
export function Damaged({ of: { path, says, findings } }: { of: Document }) {
  const say = useSay();
  return (
    <section
      data-tone="fail"
      className="grid min-w-0 gap-1.5 rounded-card bg-(--tint) px-4 py-3 text-sm"
    >
      <h3 className="flex items-center gap-2 font-medium text-(--fg)">
        <Icon name="warn" className="size-4" />
        {say("docs.damaged")}
      </h3>
      <code className="text-xs wrap-anywhere">{path}</code>
      <ul className="grid gap-1">
        {findings.map(({ pointer, line, message }) => (
          <li key={`${pointer} ${message}`} className="flex flex-wrap gap-x-2">
            {line === null ? null : (
              <span className="whitespace-nowrap">{say("docs.line", { line })}</span>
            )}
            {pointer === "" ? null : <code className="text-code wrap-anywhere">{pointer}</code>}
            <span className="min-w-0 wrap-anywhere">{message}</span>
          </li>
        ))}
      </ul>
      {says?.hint == null ? null : <p className="font-medium">{says.hint}</p>}
    </section>
  );
}

/** It reads, and something is worth knowing. */
export function Notices({ of }: { of: Document | undefined }) {
  if (of === undefined || of.says !== null || of.findings.length === 0) return null;
  return (
    <ul
      data-tone="queue"
      className="grid gap-1 rounded-card bg-(--tint) px-4 py-2.5 text-sm text-(--fg)"
    >
      {of.findings.map(({ pointer, message }) => (
        <li key={`${pointer} ${message}`} className="wrap-anywhere">
          {message}
        </li>
      ))}
    </ul>
  );
}
