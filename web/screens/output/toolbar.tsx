// Search, wrapping and the choice of a process above the output.
import { useMemo, useRef, useState } from "react";
import type { Output } from "../../data/api.ts";
import { setSettings, useSettings } from "../../data/settings.ts";
import { useKeys } from "../../keys.ts";
import { Button } from "../../parts/basics.tsx";
import { LineField } from "../../parts/fields.tsx";
import { exactTime } from "../../parts/figures.tsx";
import { Icon } from "../../parts/icons.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import type { LogLine } from "./log.ts";

export interface Find {
  readonly words: string;
  readonly setWords: (words: string) => void;
  readonly found: ReadonlySet<number>;
  readonly current: number | null;
  /** Of all hits, counted from 1. */
  readonly place: number;
  readonly step: (by: number) => void;
}

export function useFind(lines: readonly LogLine[]): Find {
  const [words, setWords] = useState("");
  const [place, setPlace] = useState(0);
  const { length } = lines;
  const hits = useMemo(() => {
    const wanted = words.toLowerCase();
    if (wanted.length < 2) return [];
    return lines.flatMap(({ plain }, index) =>
      plain.toLowerCase().includes(wanted) ? [index] : [],
    );
    // The array grows in place: its length says that it did.
  }, [words, length]);
  const found = useMemo(() => new Set(hits), [hits]);
  return {
    words,
    setWords: (next) => (setPlace(0), setWords(next)),
    found,
    current: hits[place % Math.max(1, hits.length)] ?? null,
    place: hits.length === 0 ? 0 : (place % hits.length) + 1,
    step: (by) => setPlace((before) => (before + by + hits.length) % Math.max(1, hits.length)),
  };
}

interface Props {
  readonly find: Find;
  readonly processes: Output["processes"];
  readonly process: string;
  readonly choose: (process: string) => void;
  readonly running: boolean;
  /** Messages in JSON, told in words. */
  readonly structured: boolean;
}

export function Toolbar({ find, processes, process, choose, running, structured }: Props) {
  const say = useSay();
  const language = useLanguage();
  const { wrap, raw } = useSettings();
  const field = useRef<HTMLDivElement>(null);
  const search = (): void => field.current?.querySelector("input")?.focus();
  // The browser's own search does not see lines that are not drawn.
  useKeys([{ keys: ["mod+f", "/"], label: "key.search_output", run: search }]);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
      <div ref={field} className="flex w-60 items-center gap-1 max-sm:w-full">
        <LineField
          type="search"
          aria-label={say("output.search")}
          placeholder={say("output.search")}
          value={find.words}
          onChange={find.setWords}
          onSubmit={() => find.step(1)}
        />
      </div>
      {find.words.length < 2 ? null : <Hits find={find} />}
      <span className="ml-auto flex items-center gap-3">
        <Toggle on={wrap} text={say("output.wrap")} onToggle={(on) => setSettings({ wrap: on })} />
        {structured ? (
          <Toggle on={raw} text={say("output.raw")} onToggle={(on) => setSettings({ raw: on })} />
        ) : null}
      </span>
      {processes.length < 2 ? null : (
        <select
          aria-label={say("output.process")}
          value={process}
          onChange={({ target }) => choose(target.value)}
          className="min-h-8 rounded-control border border-strong bg-surface px-2 text-xs"
        >
          {processes.map(({ id, startedAt, verifier }, index) => (
            <option key={id} value={id}>
              {say(verifier ? "output.nth_verifier" : "output.nth", {
                n: index + 1,
                time: exactTime(startedAt, language),
              })}
            </option>
          ))}
        </select>
      )}
      <span className="text-xs text-muted">{say(running ? "output.running" : "output.ended")}</span>
    </div>
  );
}

// --- internal ---

function Hits({ find }: { find: Find }) {
  const say = useSay();
  return (
    <span className="flex items-center gap-1 text-xs text-muted" role="status">
      {say("output.hits", { place: find.place, all: find.found.size })}
      <Button look="quiet" aria-label={say("key.previous")} onClick={() => find.step(-1)}>
        <Icon name="left" className="size-3 rotate-90" />
      </Button>
      <Button look="quiet" aria-label={say("key.next")} onClick={() => find.step(1)}>
        <Icon name="right" className="size-3 rotate-90" />
      </Button>
    </span>
  );
}

function Toggle(props: { on: boolean; text: string; onToggle: (on: boolean) => void }) {
  return (
    <label className="flex items-center gap-1.5 text-xs text-muted">
      <input
        type="checkbox"
        checked={props.on}
        onChange={({ target }) => props.onToggle(target.checked)}
      />
      {props.text}
    </label>
  );
}
