// The picture, to be moved with the pointer and the wheel. It is decoration for who can not see it:
// the list beside it is the graph for readers, and both share one selection.
import { type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../parts/basics.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import { useSettings } from "../../data/settings.ts";
import { nodeSize } from "./layout.ts";
import type { Picture } from "./model.ts";
import { type View, type Words, paint, paintOverview, readPalette } from "./paint.ts";

interface Props {
  readonly picture: Picture;
  /** Index of what is drawn. */
  readonly selected: number | null;
  readonly onPick: (index: number | null) => void;
  /** Hands out how to look at a node, at all, and nearer or farther. */
  readonly hand: (hand: Hand) => void;
}

export interface Hand {
  readonly fit: () => void;
  readonly show: (index: number) => void;
  readonly zoom: (by: number) => void;
}

const scales = { least: 0.04, most: 2 } as const;

export function GraphCanvas({ picture, selected, onPick, hand }: Props) {
  const say = useSay();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View>({ x: 24, y: 24, scale: 1 });
  const size = useSize(canvas);
  const dragged = useRef<{ x: number; y: number; far: boolean } | null>(null);
  usePainting(canvas, picture, view, selected, size);
  const zoomAt = useCallback((by: number, x: number, y: number) => {
    setView((now) => {
      const scale = Math.min(scales.most, Math.max(scales.least, now.scale * by));
      const grown = scale / now.scale;
      return { scale, x: x - (x - now.x) * grown, y: y - (y - now.y) * grown };
    });
  }, []);
  useHand({ picture, selected, onPick, hand }, size, setView, zoomAt);
  useWheel(canvas, zoomAt, setView);
  const move = (event: PointerEvent): void => {
    const from = dragged.current;
    if (from === null || event.buttons === 0) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    const far = from.far || Math.abs(x) + Math.abs(y) > 4;
    if (!far) return;
    dragged.current = { x: event.clientX, y: event.clientY, far };
    setView((now) => ({ ...now, x: now.x + x, y: now.y + y }));
  };
  const release = (event: PointerEvent): void => {
    const wasClick = dragged.current?.far === false;
    dragged.current = null;
    if (wasClick) onPick(nodeAt(event, canvas.current, picture, view));
  };
  return (
    <div className="relative min-h-0 min-w-0 overflow-hidden bg-page">
      <canvas
        ref={canvas}
        role="img"
        aria-label={say("graph.about")}
        className="absolute inset-0 size-full cursor-grab touch-none active:cursor-grabbing"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          dragged.current = { x: event.clientX, y: event.clientY, far: false };
        }}
        onPointerMove={move}
        onPointerUp={release}
      />
      <div className="absolute bottom-3 left-3 flex gap-1">
        <Button
          aria-label={say("graph.zoom_out")}
          onClick={() => zoomAt(0.8, size.width / 2, size.height / 2)}
        >
          −
        </Button>
        <Button
          aria-label={say("graph.zoom_in")}
          onClick={() => zoomAt(1.25, size.width / 2, size.height / 2)}
        >
          +
        </Button>
        <Button hint="0" onClick={() => setView(fitted(picture, size))}>
          {say("graph.fit")}
        </Button>
      </div>
      <Overview picture={picture} view={view} size={size} setView={setView} />
    </div>
  );
}

// --- internal ---

interface Size {
  readonly width: number;
  readonly height: number;
}

function useSize(place: React.RefObject<HTMLCanvasElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const seen = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    seen.observe(element);
    return () => seen.disconnect();
  }, [place]);
  return size;
}

/** At most once a frame, however many events come. */
function usePainting(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  picture: Picture,
  view: View,
  selected: number | null,
  size: Size,
): void {
  const say = useSay();
  const { theme } = useSettings();
  const language = useLanguage();
  const words = useMemo(
    (): Words => ({
      state: (state) => say(`unit.${state}`),
      phase: (name) => (name === "" ? say("graph.no_phase") : phaseName(say, name)),
      done: (done, total) => `${done}/${total}`,
    }),
    [language],
  );
  const palette = useMemo(readPalette, [theme, document.documentElement.dataset["theme"]]);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current !== null)
        paint(canvas.current, { picture, view, selected, palette, words });
    });
    return () => cancelAnimationFrame(frame);
  }, [picture, view, selected, palette, words, size]);
}

/** `1` is a number that wants its word; a name stands for itself. */
export function phaseName(say: ReturnType<typeof useSay>, name: string): string {
  return /^\d+$/.test(name) ? say("graph.phase", { name }) : name;
}

function useHand(
  { hand, picture, selected }: Props,
  size: Size,
  setView: (next: View | ((now: View) => View)) => void,
  zoomAt: (by: number, x: number, y: number) => void,
): void {
  const fitFor = useRef(0);
  useEffect(() => {
    hand({
      fit: () => setView(fitted(picture, size)),
      show: (index) => setView((now) => shown(now, picture, index, size)),
      zoom: (by) => zoomAt(by, size.width / 2, size.height / 2),
    });
    // As soon as there is room, and whenever there is another number of nodes: all of it.
    if (size.width === 0 || fitFor.current === picture.drawn.length) return;
    fitFor.current = picture.drawn.length;
    setView(first(picture, size, selected));
  }, [picture, size.width, size.height]);
}

function useWheel(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  zoomAt: (by: number, x: number, y: number) => void,
  setView: (next: (now: View) => View) => void,
): void {
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const turned = (event: WheelEvent): void => {
      event.preventDefault();
      const pinch = event.ctrlKey || event.metaKey;
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!pinch && sideways) {
        const by = event.deltaX === 0 ? event.deltaY : event.deltaX;
        return setView((now) => ({
          ...now,
          x: now.x - by,
          y: event.shiftKey ? now.y : now.y - event.deltaY,
        }));
      }
      const { left, top } = element.getBoundingClientRect();
      zoomAt(
        Math.exp(-event.deltaY / (pinch ? 120 : 400)),
        event.clientX - left,
        event.clientY - top,
      );
    };
    element.addEventListener("wheel", turned, { passive: false });
    return () => element.removeEventListener("wheel", turned);
  }, []);
}

function nodeAt(
  event: PointerEvent,
  canvas: HTMLCanvasElement | null,
  { layout }: Picture,
  view: View,
): number | null {
  if (canvas === null) return null;
  const { left, top } = canvas.getBoundingClientRect();
  const x = (event.clientX - left - view.x) / view.scale;
  const y = (event.clientY - top - view.y) / view.scale;
  const index = layout.places.findIndex(
    (place) =>
      x >= place.x &&
      x <= place.x + nodeSize.width &&
      y >= place.y &&
      y <= place.y + nodeSize.height,
  );
  return index < 0 ? null : index;
}

const margin = 28;
const readable = 0.86;

function fitted({ layout }: Picture, { width, height }: Size): View {
  const [roomX, roomY] = [width - 2 * margin, height - 2 * margin - 40];
  const scale = Math.max(scales.least, Math.min(1.1, roomX / layout.width, roomY / layout.height));
  return {
    scale,
    x: Math.max(margin, (width - layout.width * scale) / 2),
    y: Math.max(margin, (height - layout.height * scale) / 2 - 16),
  };
}

/** All of it where that can be read; else what is at work, or chosen, with the overview beside it. */
function first(picture: Picture, size: Size, selected: number | null): View {
  const all = fitted(picture, size);
  if (all.scale >= readable) return all;
  const hot = picture.drawn.findIndex(({ unit }) => unit?.state === "in_progress");
  const place = picture.layout.places[selected ?? Math.max(0, hot)];
  if (place === undefined) return all;
  const scale = readable;
  // Never further than the edge of the picture.
  const held = (room: number, length: number, at: number): number =>
    length * scale <= room
      ? (room - length * scale) / 2
      : Math.min(margin, Math.max(room - margin - length * scale, room / 2 - at * scale));
  return {
    scale,
    x: held(size.width, picture.layout.width, place.x),
    y: held(size.height, picture.layout.height, place.y),
  };
}

/** Only as far as needed: a walk along the edges does not make the picture jump. */
function shown(now: View, { layout }: Picture, index: number, { width, height }: Size): View {
  const place = layout.places[index];
  if (place === undefined || width === 0) return now;
  const scale = Math.max(now.scale, readable);
  const base =
    scale === now.scale
      ? now
      : { scale, x: width / 2 - place.x * scale, y: height / 2 - place.y * scale };
  const [x, y] = [place.x * scale + base.x, place.y * scale + base.y];
  const [w, h] = [nodeSize.width * scale, nodeSize.height * scale];
  const dx = x < margin ? margin - x : Math.min(0, width - margin - w - x);
  const dy = y < margin ? margin - y : Math.min(0, height - margin - h - 40 - y);
  return { scale, x: base.x + dx, y: base.y + dy };
}

function Overview(props: {
  picture: Picture;
  view: View;
  size: Size;
  setView: (next: (now: View) => View) => void;
}) {
  const { picture, view, size, setView } = props;
  const say = useSay();
  const { theme } = useSettings();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = useRef(1);
  const { layout } = picture;
  const all = layout.width * view.scale <= size.width && layout.height * view.scale <= size.height;
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current === null) return;
      const { scale: by, x, y } = view;
      const seen = { x: -x / by, y: -y / by, width: size.width / by, height: size.height / by };
      scale.current = paintOverview(canvas.current, picture, seen, readPalette());
    });
    return () => cancelAnimationFrame(frame);
  }, [picture, view, size, theme, all]);
  if (all) return null;
  const go = (event: PointerEvent): void => {
    if (event.buttons === 0) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [(event.clientX - left) / scale.current, (event.clientY - top) / scale.current];
    setView((now) => ({
      ...now,
      x: size.width / 2 - x * now.scale,
      y: size.height / 2 - y * now.scale,
    }));
  };
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={say("graph.overview")}
      onPointerDown={go}
      onPointerMove={go}
      className="absolute right-3 bottom-3 h-28 w-44 cursor-pointer touch-none rounded-card border border-line bg-surface/90"
    />
  );
}
