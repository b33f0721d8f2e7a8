// What stands in a document, as text: a stranger's words stay words. Maps become definition lists,
// lists lists; what is long is cut with a way to see the rest.
import { type ReactNode, useState } from "react";
import { Button } from "../../parts/basics.tsx";
import { useSay } from "../../texts/index.ts";

/** Names and what they hold; a row without anything is left out. */
export function Fields({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  const there = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (there.length === 0) return null;
  return (
    <dl className="grid grid-cols-[minmax(88px,max-content)_minmax(0,1fr)] gap-x-5 gap-y-1.5 text-sm max-sm:grid-cols-1 max-sm:gap-y-0.5">
      {there.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted max-sm:pt-1.5">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Anything: of the maps that people and agents fill as they like. */
export function Value({ of, depth = 0 }: { of: unknown; depth?: number }) {
  if (of === null || of === undefined || of === "") return <span className="text-muted">–</span>;
  if (typeof of === "string") return <Words text={of} />;
  if (typeof of !== "object") return <span>{JSON.stringify(of)}</span>;
  if (depth >= deepest) return <Words text={JSON.stringify(of)} />;
  if (Array.isArray(of)) return <ListOf items={of} depth={depth} />;
  return <MapOf of={of as Readonly<Record<string, unknown>>} depth={depth} />;
}

/** Lines of a list that are texts. */
export function Points({ of }: { of: readonly string[] }) {
  const [shown, more] = useCut(of);
  if (of.length === 0) return null;
  if (of.length === 1) return <Value of={of[0]} />;
  return (
    <>
      <ul className="grid list-disc gap-0.5 pl-4.5 text-sm marker:text-muted">
        {shown.map((text, place) => (
          <li key={place} className="wrap-anywhere whitespace-pre-wrap">
            {text}
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

/** The first of many, and a button for the others. */
export function useCut<T>(items: readonly T[]): [shown: readonly T[], more: ReactNode] {
  const say = useSay();
  const [all, setAll] = useState(false);
  if (all || items.length <= most + 5) return [items, null];
  return [
    items.slice(0, most),
    <Button key="more" look="quiet" className="justify-self-start" onClick={() => setAll(true)}>
      {say("docs.more", { count: items.length - most })}
    </Button>,
  ];
}

// --- internal ---

const most = 30;
const deepest = 6;
/** Longer than this it gets a window of its own. */
const longText = 1_200;

function Words({ text }: { text: string }) {
  if (text.length <= longText)
    return <span className="wrap-anywhere whitespace-pre-wrap">{text}</span>;
  return (
    <pre
      tabIndex={0}
      className="max-h-72 overflow-auto rounded-control bg-sunken p-2.5 text-code whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}

function ListOf({ items, depth }: { items: readonly unknown[]; depth: number }) {
  const say = useSay();
  const [shown, more] = useCut(items);
  if (items.length === 0) return <span className="text-muted">{say("docs.none")}</span>;
  if (items.every(isShort) && items.join("").length < 90)
    return <span>{items.map(String).join(", ")}</span>;
  return (
    <div className="grid gap-1">
      <ul className={`grid gap-1 ${items.every(isShort) ? "list-disc pl-4.5" : ""}`}>
        {shown.map((item, place) => (
          <li key={place} className={isShort(item) || Array.isArray(item) ? "" : "py-1 first:pt-0"}>
            <Value of={item} depth={depth + 1} />
          </li>
        ))}
      </ul>
      {more}
    </div>
  );
}

function MapOf({ of, depth }: { of: Readonly<Record<string, unknown>>; depth: number }) {
  const say = useSay();
  const [shown, more] = useCut(Object.entries(of));
  if (shown.length === 0) return <span className="text-muted">{say("docs.none")}</span>;
  const deep = depth > 0 ? "border-l-2 border-line pl-3" : "";
  return (
    <div className={`grid gap-1.5 ${deep}`}>
      <Fields
        rows={shown.map(([name, value]) => [
          name,
          <Value key={name} of={value} depth={depth + 1} />,
        ])}
      />
      {more}
    </div>
  );
}

function isShort(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
