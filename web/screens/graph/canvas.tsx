// The picture, to be moved with the pointer and the wheel. It is decoration for who can not see it:
// the list beside it is the graph for readers, and both share one selection.
import { type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../parts/basics.tsx";
import { useLanguage, useSay } from "../../texts/index.ts";
import { useSettings } from "../../data/settings.ts";
import { nodeSize } from "./layout.ts";
import type { Picture } from "./model.ts";
import { Overview } from "./overview.tsx";
import { type View, type Words, paint, readPalette } from "./paint.ts";
import { type Size, first, fitted, scales, shown } from "./place.ts";

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

export function GraphCanvas({ picture, selected, onPick, hand }: Props) {
  const say = useSay();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [view, setView] = useState<View>({ x: 24, y: 24, scale: 1 });
  const size = useSize(canvas);
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
  const drag = useDrag(setView, (event) => onPick(nodeAt(event, canvas.current, picture, view)));
  return (
    <div className="relative min-h-0 min-w-0 overflow-hidden bg-page">
      <canvas
        ref={canvas}
        role="img"
        aria-label={say("graph.about")}
        className="absolute inset-0 size-full cursor-grab touch-none active:cursor-grabbing"
        {...drag}
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

/** Moves the picture; a press that did not move is a click. */
function useDrag(
  setView: (next: (now: View) => View) => void,
  onClick: (event: PointerEvent) => void,
) {
  const dragged = useRef<{ x: number; y: number; far: boolean } | null>(null);
  return {
    onPointerDown: (event: PointerEvent): void => {
      event.currentTarget.setPointerCapture(event.pointerId);
      dragged.current = { x: event.clientX, y: event.clientY, far: false };
    },
    onPointerMove: (event: PointerEvent): void => {
      const from = dragged.current;
      if (from === null || event.buttons === 0) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      const far = from.far || Math.abs(x) + Math.abs(y) > 4;
      if (!far) return;
      dragged.current = { x: event.clientX, y: event.clientY, far };
      setView((now) => ({ ...now, x: now.x + x, y: now.y + y }));
    },
    onPointerUp: (event: PointerEvent): void => {
      const wasClick = dragged.current?.far === false;
      dragged.current = null;
      if (wasClick) onClick(event);
    },
  };
}

function useSize(place: React.RefObject<HTMLCanvasElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
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
    if (element === null) return undefined;
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
