// What of the picture is in sight: all of it, its first sight, or as far as needed to see a node.
import { nodeSize } from "./layout.ts";
import type { Picture } from "./model.ts";
import type { View } from "./paint.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const scales = { least: 0.04, most: 2 } as const;
const margin = 28;
const readable = 0.86;

export function fitted({ layout }: Picture, { width, height }: Size): View {
  const [roomX, roomY] = [width - 2 * margin, height - 2 * margin - 40];
  const scale = Math.max(scales.least, Math.min(1.1, roomX / layout.width, roomY / layout.height));
  return {
    scale,
    x: Math.max(margin, (width - layout.width * scale) / 2),
    y: Math.max(margin, (height - layout.height * scale) / 2 - 16),
  };
}

/** All of it where that can be read; else what is at work, or chosen, with the overview beside it. */
export function first(picture: Picture, size: Size, selected: number | null): View {
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
export function shown(
  now: View,
  { layout }: Picture,
  index: number,
  { width, height }: Size,
): View {
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
