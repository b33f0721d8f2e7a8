// Draws the picture on a canvas: state fills the whole node, so that it is seen from far away; from
// very far a node is only its colour. What is out of sight is not drawn.
import type { Drawn, Picture, UnitState } from "./model.ts";
import { stateOrder, unitLooks } from "./model.ts";
import { nodeSize } from "./layout.ts";

export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Palette {
  readonly of: (name: string) => string;
  readonly sans: string;
  readonly mono: string;
}

export interface Words {
  readonly state: (state: UnitState) => string;
  readonly phase: (name: string) => string;
  readonly done: (done: number, total: number) => string;
}

interface Drawing {
  readonly picture: Picture;
  readonly view: View;
  readonly selected: number | null;
  readonly palette: Palette;
  readonly words: Words;
}

/** The theme's own colours, as the style sheet has them now. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const known = new Map<string, string>();
  return {
    of: (name) => {
      const colour = known.get(name) ?? style.getPropertyValue(`--${name}`).trim();
      known.set(name, colour);
      return colour;
    },
    sans: style.getPropertyValue("--font-sans") || "sans-serif",
    mono: style.getPropertyValue("--font-mono") || "monospace",
  };
}

export function paint(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const { view } = drawing;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const scale = view.scale * ratio;
  context.setTransform(scale, 0, 0, scale, view.x * ratio, view.y * ratio);
  const sight = {
    left: -view.x / view.scale - nodeSize.width,
    top: -view.y / view.scale - nodeSize.height,
    right: (width - view.x) / view.scale,
    bottom: (height - view.y) / view.scale,
  };
  paintEdges(context, drawing, sight);
  const { places } = drawing.picture.layout;
  drawing.picture.drawn.forEach((node, index) => {
    const place = places[index];
    if (place === undefined) return;
    if (place.x < sight.left || place.x > sight.right) return;
    if (place.y < sight.top || place.y > sight.bottom) return;
    paintNode(context, node, place.x, place.y, index === drawing.selected, drawing);
  });
}

/** All of it at once, with a frame around what is in sight. */
export function paintOverview(
  canvas: HTMLCanvasElement,
  { drawn, layout }: Picture,
  frame: { x: number; y: number; width: number; height: number },
  palette: Palette,
): number {
  const context = canvas.getContext("2d");
  if (context === null) return 1;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const scale = Math.min(width / layout.width, height / layout.height);
  context.setTransform(ratio * scale, 0, 0, ratio * scale, 0, 0);
  drawn.forEach((node, index) => {
    const place = layout.places[index];
    if (place === undefined) return;
    context.fillStyle = palette.of(`${unitLooks[worstOf(node)].tone}-fg`);
    context.fillRect(place.x, place.y, nodeSize.width, nodeSize.height);
  });
  context.lineWidth = 1.5 / scale;
  context.strokeStyle = palette.of("text");
  context.strokeRect(frame.x, frame.y, frame.width, frame.height);
  return scale;
}

// --- internal ---

interface Sight {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Below this a node has its id alone, and below the other only its colour: the rest can not be read. */
const legible = 0.6;
const named = 0.2;

function paintEdges(context: CanvasRenderingContext2D, drawing: Drawing, sight: Sight): void {
  const { picture, selected, palette, view } = drawing;
  const { places } = picture.layout;
  const draw = (
    wanted: (edge: Picture["edges"][number]) => boolean,
    colour: string,
    line: number,
  ): void => {
    context.beginPath();
    for (const edge of picture.edges) {
      const [one, other] = [places[edge[0]], places[edge[1]]];
      if (one === undefined || other === undefined || !wanted(edge)) continue;
      const [x, y] = [one.x + nodeSize.width, one.y + nodeSize.height / 2];
      const [toX, toY] = [other.x, other.y + nodeSize.height / 2];
      if (Math.min(x, toX) > sight.right || Math.max(x, toX) < sight.left) continue;
      if (Math.min(y, toY) > sight.bottom || Math.max(y, toY) < sight.top) continue;
      const bend = Math.max(28, Math.abs(toX - x) / 2);
      context.moveTo(x, y);
      context.bezierCurveTo(x + bend, y, toX - bend, toY, toX, toY);
      if (view.scale >= legible) {
        context.moveTo(toX - 6, toY - 4);
        context.lineTo(toX, toY);
        context.lineTo(toX - 6, toY + 4);
      }
    }
    context.strokeStyle = colour;
    context.lineWidth = line / Math.min(1, Math.max(0.35, view.scale));
    context.stroke();
  };
  const touches = ([from, to]: readonly [number, number, boolean]): boolean =>
    selected !== null && (from === selected || to === selected);
  draw((edge) => !edge[2] && !touches(edge), palette.of("strong"), 1);
  draw((edge) => edge[2] && !touches(edge), palette.of("text"), 2);
  if (selected !== null) draw(touches, palette.of("ring"), 2.2);
}

function paintNode(
  context: CanvasRenderingContext2D,
  node: Drawn,
  x: number,
  y: number,
  selected: boolean,
  { palette, words, view }: Drawing,
): void {
  const { width, height } = nodeSize;
  const state = worstOf(node);
  const { tone } = unitLooks[state];
  const [colour, tint] = [palette.of(`${tone}-fg`), palette.of(`${tone}-bg`)];
  const far = view.scale < legible;
  // Blocked is an outline without a fill: nothing of its own has failed.
  const hollow = state === "blocked";
  context.beginPath();
  context.roundRect(x, y, width, height, 8);
  context.fillStyle = hollow ? palette.of("surface") : far ? colour : tint;
  context.fill();
  context.strokeStyle = selected ? palette.of("ring") : colour;
  context.lineWidth = selected ? 3 / Math.min(1, view.scale) : hollow ? 1.6 : 1;
  context.stroke();
  if (far) return paintName(context, node, x, y, palette, words, view.scale);
  if (node.group !== null) return paintGroup(context, node.group, x, y, palette, words);
  const { unit } = node;
  if (unit === null) return;
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.font = `600 13px ${palette.mono}`;
  context.fillText(clipped(context, unit.id, width * 0.55), x + 10, y + 14);
  context.font = `600 12px ${palette.sans}`;
  context.textAlign = "right";
  context.fillText(words.state(state), x + width - 10, y + 14);
  context.textAlign = "left";
  context.fillStyle = palette.of("text");
  context.font = `14px ${palette.sans}`;
  context.fillText(clipped(context, unit.title || unit.id, width - 20), x + 10, y + 35);
}

function paintName(
  context: CanvasRenderingContext2D,
  { unit, group }: Drawn,
  x: number,
  y: number,
  palette: Palette,
  words: Words,
  scale: number,
): void {
  if (scale < named) return;
  const { width, height } = nodeSize;
  const hollow = unit?.state === "blocked";
  context.fillStyle = palette.of(hollow ? "fail-fg" : "surface");
  context.font = `600 24px ${palette.sans}`;
  context.textBaseline = "middle";
  context.textAlign = "center";
  const name = unit?.id ?? words.phase(group?.phase ?? "");
  context.fillText(clipped(context, name, width - 12), x + width / 2, y + height / 2 + 1);
  context.textAlign = "left";
}

function paintGroup(
  context: CanvasRenderingContext2D,
  { phase, total, counts }: NonNullable<Drawn["group"]>,
  x: number,
  y: number,
  palette: Palette,
  words: Words,
): void {
  const { width, height } = nodeSize;
  context.textBaseline = "middle";
  context.fillStyle = palette.of("text");
  context.font = `600 14px ${palette.sans}`;
  context.fillText(clipped(context, words.phase(phase), width * 0.55), x + 10, y + 15);
  context.font = `13px ${palette.sans}`;
  context.textAlign = "right";
  context.fillText(words.done(counts.get("completed") ?? 0, total), x + width - 10, y + 15);
  context.textAlign = "left";
  let at = x + 10;
  for (const state of stateOrder) {
    const share = ((counts.get(state) ?? 0) / total) * (width - 20);
    if (share === 0) continue;
    context.fillStyle = palette.of(`${unitLooks[state].tone}-fg`);
    context.fillRect(at, y + height - 15, Math.max(share - 1, 1), 6);
    at += share;
  }
}

/** Of a phase, what needs somebody first. */
export function worstOf({ unit, group }: Drawn): UnitState {
  if (unit !== null) return unit.state;
  return stateOrder.find((state) => (group?.counts.get(state) ?? 0) > 0) ?? "pending";
}

/** Measuring is what costs: each text is cut once for a width. */
const cuts = new Map<string, string>();

function clipped(context: CanvasRenderingContext2D, text: string, width: number): string {
  const key = `${context.font}|${width}|${text}`;
  const known = cuts.get(key);
  if (known !== undefined) return known;
  let shown = text.length > 60 ? text.slice(0, 60) : text;
  while (shown.length > 1 && context.measureText(`${shown}…`).width > width)
    shown = shown.slice(0, -1);
  const cut =
    shown === text || context.measureText(text).width <= width ? text : `${shown.trimEnd()}…`;
  if (cuts.size > 20_000) cuts.clear();
  cuts.set(key, cut);
  return cut;
}
