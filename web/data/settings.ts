// What a person chose for this browser: language, theme, single keys. Kept in localStorage; other
// tabs follow at once.
import { useSyncExternalStore } from "react";
import type { Language } from "../texts/index.ts";

export interface Settings {
  readonly language: Language | null;
  readonly theme: "light" | "dark" | "system";
  /** Shortcuts of one key can be turned off (WCAG 2.1.4). */
  readonly singleKeys: boolean;
  readonly notify: boolean;
  /** Notes of the first visit that were seen. */
  readonly notes: readonly string[];
  readonly wrap: boolean;
  /** Output as it was printed, also where it is messages in JSON. */
  readonly raw: boolean;
}

const usual: Settings = {
  language: null,
  theme: "system",
  singleKeys: true,
  notify: false,
  notes: [],
  wrap: true,
  raw: false,
};

export function settings(): Settings {
  return now;
}

export function setSettings(change: Partial<Settings>): void {
  now = { ...now, ...change };
  try {
    localStorage.setItem(place, JSON.stringify(now));
  } catch {
    // A browser that keeps nothing still shows what was chosen.
  }
  tell();
}

export function useSettings(): Settings {
  return useSyncExternalStore(subscribe, settings);
}

/** The one that was chosen, else the browser's first that we speak. */
export function languageOf({ language }: Settings): Language {
  if (language !== null) return language;
  const wanted = navigator.languages.find((tag) => /^(?:ko|en)\b/i.test(tag));
  return wanted?.toLowerCase().startsWith("ko") === true ? "ko" : "en";
}

/** Called when another language is spoken: what the server said is in the old one. */
export function onLanguage(call: () => void): void {
  let before = languageOf(now);
  subscribe(() => {
    const next = languageOf(now);
    if (next === before) return;
    before = next;
    call();
  });
}

/** Theme and language on the document itself, now and whenever they change. */
export function applySettings(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = (): void => {
    const { theme } = now;
    const isDark = theme === "dark" || (theme === "system" && dark.matches);
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
    document.documentElement.lang = languageOf(now);
  };
  dark.addEventListener("change", apply);
  subscribe(apply);
  apply();
}

// --- internal ---

const place = "holdfast.settings";
const listeners = new Set<() => void>();
let now = read();

function read(): Settings {
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(place) ?? "{}") as Partial<Settings>) };
  } catch {
    return usual;
  }
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener("storage", ({ key }) => {
  if (key !== place) return;
  now = read();
  tell();
});
