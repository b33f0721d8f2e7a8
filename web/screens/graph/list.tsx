// The units as a list: the graph for who can not see the picture, with one selection for both. On a
// phone it is the graph, with the units by state.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { Glyph } from "../../parts/state.tsx";
import { useSay } from "../../texts/index.ts";
import { type Unit, type UnitState, stateOrder, unitLooks } from "./model.ts";

interface Props {
  readonly units: readonly Unit[];
  readonly selected: string | null;
  readonly grouped: boolean;
  readonly onPick: (id: string) => void;
}

const rowHeight = 44;
const headHeight = 34;

export function UnitList({ units, selected, grouped, onPick }: Props) {
  const say = useSay();
  const place = useRef<HTMLDivElement>(null);
  const rows = grouped ? byState(units) : units;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: (index) => (isHead(rows[index]) ? headHeight : rowHeight),
    overscan: 10,
  });
  const at = rows.findIndex((row) => !isHead(row) && row.id === selected);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at);
  }, [at]);
  // Group heads change where rows stand.
  useEffect(() => virtual.measure(), [grouped, units]);
  return (
    <div
      ref={place}
      role="listbox"
      aria-label={say("graph.list")}
      aria-activedescendant={at < 0 ? undefined : `unit-${at}`}
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-2 -outline-offset-2"
    >
      <div className="relative" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const style = { transform: `translateY(${start}px)`, height: size };
          return isHead(row) ? (
            <StateHead key={row.head} {...row} style={style} />
          ) : (
            <UnitRow
              key={row.id}
              unit={row}
              id={`unit-${index}`}
              selected={row.id === selected}
              style={style}
              onPick={onPick}
            />
          );
        })}
      </div>
    </div>
  );
}

// --- internal ---

interface Head {
  readonly head: UnitState;
  readonly count: number;
}

function isHead(row: Unit | Head | undefined): row is Head {
  return row !== undefined && "head" in row;
}

function byState(units: readonly Unit[]): (Unit | Head)[] {
  return stateOrder.flatMap((state): (Unit | Head)[] => {
    const own = units.filter((unit) => unit.state === state);
    return own.length === 0 ? [] : [{ head: state, count: own.length }, ...own];
  });
}

function StateHead({ head, count, style }: Head & { style: React.CSSProperties }) {
  const say = useSay();
  return (
    <div
      role="presentation"
      style={style}
      data-tone={unitLooks[head].tone}
      className="absolute top-0 left-0 flex w-full items-end gap-1.5 px-2 pb-1 text-xs font-semibold text-(--fg)"
    >
      {say(`unit.${head}`)} <span className="font-normal text-muted">{count}</span>
    </div>
  );
}

function UnitRow(props: {
  readonly unit: Unit;
  readonly id: string;
  readonly selected: boolean;
  readonly style: React.CSSProperties;
  readonly onPick: (id: string) => void;
}) {
  const say = useSay();
  const { unit, selected } = props;
  return (
    <div
      id={props.id}
      role="option"
      aria-selected={selected}
      style={props.style}
      onClick={() => props.onPick(unit.id)}
      className="absolute top-0 left-0 flex w-full cursor-pointer items-center gap-2 rounded-control px-2 hover:bg-sunken aria-selected:bg-sunken"
    >
      <Glyph {...unitLooks[unit.state]} small />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm">{unit.title || unit.id}</span>
        <span className="block truncate text-xs text-muted">
          <span className="font-mono">{unit.id}</span> · {say(`unit.${unit.state}`)}
        </span>
      </span>
    </div>
  );
}
