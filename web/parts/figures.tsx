// Times, money and counts as people read them. All from Intl; one shared clock.
import { useNow } from "../data/clock.ts";
import { type Language, useLanguage } from "../texts/index.ts";

/** "42분", "3시간": how long ago. The moment itself is in the tooltip. */
export function Age({ since, className = "" }: { since: string | null; className?: string }) {
  const now = useNow();
  const language = useLanguage();
  if (since === null) return null;
  return (
    <time
      dateTime={since}
      title={fullTime(since, language)}
      className={`whitespace-nowrap ${className}`}
    >
      {durationText(now - Date.parse(since), language)}
    </time>
  );
}

/** A time to come is a time of day; with its day where that is not today. */
export function clockTime(at: string, language: Language): string {
  const today = new Date(at).toDateString() === new Date().toDateString();
  if (!today)
    return cached(language, "day", {
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }).format(new Date(at));
  return cached(language, "clock", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    new Date(at),
  );
}

export function exactTime(at: string | number, language: Language): string {
  const form = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
  return cached(language, "exact", { ...form, hourCycle: "h23" }).format(new Date(at));
}

export function fullTime(at: string, language: Language): string {
  return cached(language, "full", { dateStyle: "medium", timeStyle: "medium" }).format(
    new Date(at),
  );
}

export function durationText(milliseconds: number, language: Language): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const [value, unit] = rounded(seconds);
  const key = `${language} ${unit}`;
  const format =
    units.get(key) ??
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" });
  units.set(key, format);
  return format.format(value);
}

/** What may be less than a second. */
export function shortDuration(milliseconds: number, language: Language): string {
  if (milliseconds >= 10_000) return durationText(milliseconds, language);
  const unit = milliseconds < 1_000 ? "millisecond" : "second";
  const value = milliseconds < 1_000 ? Math.round(milliseconds) : milliseconds / 1_000;
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(value);
}

export function moneyText(usd: number): string {
  return new Intl.NumberFormat("en", { style: "currency", currency: "USD" }).format(usd);
}

export function countText(count: number): string {
  // “m” would be read as minutes.
  return compact.format(count).replace("K", "k");
}

export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

// --- internal ---

const units = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

function rounded(seconds: number): [number, "second" | "minute" | "hour" | "day"] {
  if (seconds < 60) return [seconds, "second"];
  if (seconds < 3_600) return [Math.floor(seconds / 60), "minute"];
  if (seconds < 86_400) return [Math.floor(seconds / 3_600), "hour"];
  return [Math.floor(seconds / 86_400), "day"];
}

function cached(language: Language, name: string, form: Intl.DateTimeFormatOptions) {
  const key = `${language} ${name}`;
  const format = dates.get(key) ?? new Intl.DateTimeFormat(language, form);
  dates.set(key, format);
  return format;
}
