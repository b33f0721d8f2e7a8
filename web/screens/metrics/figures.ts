// Figures of days: spans of hours and minutes, percents, and days as people name them.
import type { Metrics } from "../../data/api.ts";
import { durationText } from "../../parts/figures.tsx";
import type { Language } from "../../texts/index.ts";

export type Day = Metrics["days"][number];
export type Figure = keyof Metrics["totals"];

/** "3시간 12분": two units, since a sum of hours hides too much. */
export function spanText(milliseconds: number, language: Language): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 60) return durationText(milliseconds, language);
  const whole = durationHours(Math.floor(minutes / 60), language);
  const rest = minutes % 60;
  return rest === 0 ? whole : `${whole} ${durationText(rest * 60_000, language)}`;
}

export function percentText(share: number): string {
  return percent.format(share);
}

export function dayText(day: string, language: Language, long = false): string {
  const form = long
    ? ({ dateStyle: "medium", timeZone: "UTC" } as const)
    : ({ month: "numeric", day: "numeric", timeZone: "UTC" } as const);
  return new Intl.DateTimeFormat(language, form).format(new Date(`${day}T00:00:00Z`));
}

// --- internal ---

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** Days would hide the hours that somebody paid for. */
function durationHours(hours: number, language: Language): string {
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: "hour",
    unitDisplay: "short",
  }).format(hours);
}
