// The keyboard. A screen says which keys it takes and what they do; the newest screen is asked
// first, and the sheet behind `?` lists what is there now. No key changes a state by itself.
//
// A letter is taken by what it types where that is a Latin letter, else by where it lies: with the
// Hangul layout on, the key of J types ㅓ and still means J.
import { useLayoutEffect, useRef } from "react";
import { settings } from "./data/settings.ts";
import type { PlainKey } from "./texts/index.ts";

export interface Binding {
  /** `j`, `arrowdown`, `?`, `mod+enter`, `g i`. */
  readonly keys: readonly string[];
  readonly label: PlainKey;
  /** False: it was not for this one, ask on. */
  readonly run: (key: string) => unknown;
  /** Works in fields and dialogs as well. */
  readonly everywhere?: boolean;
}

/**
 * While the component is there. The newest that was added is asked first; before all others one that
 * leads: a list whose detail stands beside it.
 */
export function useKeys(bindings: readonly Binding[], leads = false): void {
  const newest = useRef(bindings);
  // Before anybody can see it: what is pressed is meant for what stands there.
  useLayoutEffect(() => {
    newest.current = bindings;
  });
  useLayoutEffect(() => {
    const layer = (): readonly Binding[] => newest.current;
    const stack = leads ? leading : layers;
    stack.push(layer);
    return () => void stack.splice(stack.indexOf(layer), 1);
  }, []);
}

/** What can be pressed now, newest layer first; each meaning once. */
export function boundKeys(): Binding[] {
  const found = new Map<PlainKey, Binding>();
  for (const layer of ordered())
    for (const binding of layer()) if (!found.has(binding.label)) found.set(binding.label, binding);
  return [...found.values()];
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** As people read it on their own keyboard. */
export function keyName(key: string): string {
  return key
    .split(/(?<=.)\+|(?<=.) /)
    .map((part) => names[part] ?? part.toUpperCase())
    .join(" ");
}

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    // An IME is at work: what is pressed belongs to the syllable.
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
    const key = named(event);
    // By when it was pressed: a page that had no time meanwhile does not forget what it has not seen.
    const held = event.timeStamp - pressedAt < togetherMs ? pending : "";
    pending = "";
    if (key !== null && dispatch(event, held === "" ? key : `${held} ${key}`)) return;
    if (key !== null && held === "" && opens(key) && !isTyping(event)) {
      pending = key;
      pressedAt = event.timeStamp;
    }
  });
}

// --- internal ---

type Layer = () => readonly Binding[];
const layers: Layer[] = [];
const leading: Layer[] = [];
let pending = "";
let pressedAt = 0;
/** The second of two keys comes this soon, or is one by itself. */
const togetherMs = 1_200;

const names: Readonly<Record<string, string>> = {
  mod: isMac ? "⌘" : "Ctrl",
  shift: "Shift",
  enter: "Enter",
  escape: "Esc",
  arrowdown: "↓",
  arrowup: "↑",
  arrowleft: "←",
  arrowright: "→",
};

function named(event: KeyboardEvent): string | null {
  const { key, code, shiftKey } = event;
  const mod = event.ctrlKey || event.metaKey ? "mod+" : "";
  if (event.altKey) return null;
  if (key === "?" || (code === "Slash" && shiftKey)) return `${mod}?`;
  if (/^[a-z]$/i.test(key)) return mod + (shiftKey ? "shift+" : "") + key.toLowerCase();
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined && key.length === 1)
    return mod + (shiftKey ? "shift+" : "") + letter.toLowerCase();
  return mod + key.toLowerCase();
}

function ordered(): Layer[] {
  return [...layers, ...leading].toReversed();
}

function opens(key: string): boolean {
  return ordered().some((layer) =>
    layer().some(({ keys }) => keys.some((each) => each.startsWith(`${key} `))),
  );
}

function dispatch(event: KeyboardEvent, key: string): boolean {
  const typing = isTyping(event) || isPressed(event, key);
  const single = !key.startsWith("mod+") && key !== "escape" && !/^(?:arrow|enter)/.test(key);
  for (const layer of ordered())
    for (const binding of layer()) {
      if (!binding.keys.includes(key) || (typing && binding.everywhere !== true)) continue;
      if (single && !settings().singleKeys && key !== "?") continue;
      if (binding.run(key) === false) continue;
      event.preventDefault();
      return true;
    }
  return false;
}

/** In a field every key is a letter, and a dialog has its own. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]") !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(?:checkbox|radio|button)$/.test(target.type);
  return target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Enter on a link or button is its own. */
function isPressed({ target }: KeyboardEvent, key: string): boolean {
  return (
    key === "enter" && target instanceof Element && target.closest("a, button, summary") !== null
  );
}
