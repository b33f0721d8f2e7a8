// The diagram itself: what was walked is drawn in ink, what could be is a hairline.
import type { Arrow, Diagram, Machine } from "./diagram.ts";
import { box } from "./diagram.ts";
import { sayWord, useSay } from "../../texts/index.ts";
import { agentLook, taskLook } from "../../parts/state.tsx";
import type { Step } from "./machines.tsx";

interface Props {
  readonly diagram: Diagram;
  readonly machine: Machine;
  readonly taken: ReadonlyMap<string, readonly Step[]>;
  readonly now: string;
  readonly picked: string | null;
  readonly onPick: (key: string | null) => void;
}

export function DiagramView({ diagram, machine, taken, now, picked, onPick }: Props) {
  const say = useSay();
  const visited = new Set([...taken.values()].flat().flatMap(({ from, to }) => [from, to]));
  // What was walked lies above what was not, and what is chosen above all.
  const rank = (key: string): number => (key === picked ? 2 : taken.has(key) ? 1 : 0);
  const arrows = diagram.arrows.toSorted((a, b) => rank(a.key) - rank(b.key));
  return (
    <div
      className="overflow-x-auto rounded-card border border-line bg-page"
      tabIndex={0}
      role="region"
      aria-label={say("machines.diagram")}
    >
      <svg
        viewBox={`0 0 ${diagram.width} ${diagram.height}`}
        aria-hidden="true"
        className="mx-auto block w-full min-w-[860px]"
        style={{ maxWidth: diagram.width }}
      >
        {arrows.map((arrow) => (
          <ArrowPath
            key={arrow.key}
            arrow={arrow}
            times={taken.get(arrow.key)?.length ?? 0}
            picked={arrow.key === picked}
            onPick={() => onPick(arrow.key === picked ? null : arrow.key)}
          />
        ))}
        <Heads />
        {diagram.boxes.map(({ state, x, y }) => (
          <StateBox
            key={state}
            machine={machine.name}
            state={state}
            x={x}
            y={y}
            now={state === now}
            seen={visited.has(state)}
          />
        ))}
      </svg>
    </div>
  );
}

// --- internal ---

/** Could be, was, is chosen. */
const looks = ["strong", "text", "ring"] as const;
const colours = { strong: "text-strong", text: "text-text", ring: "text-ring" } as const;

function StateBox(props: {
  machine: string;
  state: string;
  x: number;
  y: number;
  now: boolean;
  seen: boolean;
}) {
  const say = useSay();
  const { machine, state, x, y, now, seen } = props;
  const { tone } = machine === "task" ? taskLook(state) : agentLook(state);
  const name = sayWord(say, machine === "task" ? "state" : "agent", state);
  return (
    <g data-tone={tone} opacity={seen || now ? 1 : 0.72}>
      <rect
        x={x}
        y={y}
        width={box.width}
        height={box.height}
        rx={8}
        className={`${seen || now ? "fill-(--tint)" : "fill-(--surface)"} stroke-(--fg)`}
        strokeWidth={now ? 2.5 : 1}
      />
      <text
        x={x + box.width / 2}
        y={y + box.height / 2 + 4.5}
        textAnchor="middle"
        className="fill-(--fg) text-[12.5px] font-medium"
      >
        {name}
      </text>
      {now ? (
        <text
          x={x + box.width / 2}
          y={y + box.height + 15}
          textAnchor="middle"
          className="fill-(--text) text-[11px] font-semibold"
        >
          {say("machines.now")}
        </text>
      ) : null}
    </g>
  );
}

function Heads() {
  return (
    <defs>
      {looks.map((look) => (
        <marker
          key={look}
          id={`head-${look}`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
          markerUnits="userSpaceOnUse"
        >
          <path d="M0 0 8 4 0 8Z" fill={`var(--${look})`} />
        </marker>
      ))}
    </defs>
  );
}

function ArrowPath(props: { arrow: Arrow; times: number; picked: boolean; onPick: () => void }) {
  const { arrow, times, picked, onPick } = props;
  const { path, x, y, rows } = arrow;
  const look = picked ? "ring" : times > 0 ? "text" : "strong";
  const more = rows.length > 1 ? ` +${rows.length - 1}` : "";
  return (
    <g className={`cursor-pointer ${colours[look]}`} onClick={onPick}>
      <path d={path} fill="none" stroke="transparent" strokeWidth={14} />
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        strokeWidth={picked ? 2.6 : times > 0 ? 2 : 1}
        strokeDasharray={times > 0 || picked ? undefined : "3 4"}
        markerEnd={`url(#head-${look})`}
      />
      {times > 0 || picked ? (
        <text
          x={x}
          y={y}
          textAnchor="middle"
          className="fill-current stroke-(--bg) text-[11px] font-medium [paint-order:stroke]"
          strokeWidth={4}
        >
          {rows[0]?.on}
          {more}
          {times > 1 ? ` ×${times}` : ""}
        </text>
      ) : null}
    </g>
  );
}
