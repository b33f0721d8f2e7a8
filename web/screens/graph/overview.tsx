// The whole picture in a corner, with a frame around what is in sight: it can be pulled anywhere.
import { type PointerEvent, useEffect, useRef } from "react";
import { useSettings } from "../../data/settings.ts";
import { useSay } from "../../texts/index.ts";
import type { Picture } from "./model.ts";
import { type View, paintOverview, readPalette } from "./paint.ts";
import type { Size } from "./place.ts";

export function Overview(props: {
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
      className="absolute right-3 bottom-3 h-28 w-44 cursor-pointer touch-none rounded-card border border-line bg-surface"
    />
  );
}
