// Days as a person in a time zone has them. A day there may begin at any instant of the universal
// one and last 23 to 25 hours, so nothing is reckoned with offsets: the calendar is asked.

export interface Calendar {
  /** `2026-01-31`, of an instant. */
  readonly dayOf: (at: number) => string;
  /** The first instant of a day. */
  readonly startOf: (day: string) => number;
}

/** Throws a RangeError for a zone that nobody knows. */
export function calendarOf(zone: string): Calendar {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const asked = (at: number): string => format.format(at);
  const known = new Map<string, number>();
  const startOf = (day: string): number => {
    const start = known.get(day) ?? firstInstant(day, asked);
    known.set(day, start);
    return start;
  };
  // Asking the calendar costs microseconds, and a year has many spans: each day is asked for once.
  const near = new Map<number, { day: string; from: number; to: number }[]>();
  const dayOf = (at: number): string => {
    const place = Math.floor(at / dayMs);
    const days = near.get(place) ?? [];
    const found = days.find(({ from, to }) => at >= from && at < to);
    if (found !== undefined) return found.day;
    const day = asked(at);
    near.set(place, [...days, { day, from: startOf(day), to: startOf(shifted(day, 1)) }]);
    return day;
  };
  return { dayOf, startOf };
}

/** The day that lies so many days behind, by the calendar alone. */
export function shifted(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export const dayMs = 86_400_000;

/** A span, cut where days begin. */
export function eachDay(
  from: number,
  to: number,
  { dayOf, startOf }: Calendar,
  give: (day: string, milliseconds: number) => void,
): void {
  for (let at = from; at < to;) {
    const day = dayOf(at);
    const next = Math.min(to, startOf(shifted(day, 1)));
    give(day, next - at);
    // A zone that skips a whole day must not hold us up.
    at = Math.max(next, at + 1);
  }
}

// --- internal ---

/** By halving: no zone is further than 15 hours from the universal day. */
function firstInstant(day: string, dayOf: (at: number) => string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  let [before, from] = [noon - 2 * dayMs, noon + 2 * dayMs];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayOf(middle) < day) before = middle;
    else from = middle;
  }
  return from;
}
