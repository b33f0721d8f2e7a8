// A moment in words. The first `toISOString()` of a process makes V8 find out about time zones, for 0.3 ms:
// a hundredth of what a call may cost (docs/adr/0012). What agents call all the time asks here.

const day = 86_400_000;
/** 400 years: after them the calendar is the same again. */
const [cycle, years] = [146_097, 400];
/** From 0000-03-01: so the day that is not in every year is a year's last. */
const beginning = 719_468;

/** The same as `new Date(milliseconds).toISOString()`, of the years 0 to 9999. */
export function isoTime(milliseconds: number): string {
  const days = Math.floor(milliseconds / day);
  const since = days + beginning;
  const era = Math.floor(since / cycle);
  const inEra = since - era * cycle;
  const year = Math.floor(
    (inEra - Math.floor(inEra / 1460) + Math.floor(inEra / 36_524) - Math.floor(inEra / 146_096)) /
      365,
  );
  const inYear = inEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * inYear + 2) / 153);
  const date = inYear - Math.floor((153 * month + 2) / 5) + 1;
  const inDay = Math.floor(milliseconds) - days * day;
  const full = String(era * years + year + (month < 10 ? 0 : 1)).padStart(4, "0");
  const time = `${two(inDay / 3_600_000)}:${two((inDay / 60_000) % 60)}:${two((inDay / 1000) % 60)}`;
  return `${full}-${two(month < 10 ? month + 3 : month - 9)}-${two(date)}T${time}.${String(inDay % 1000).padStart(3, "0")}Z`;
}

// --- internal ---

function two(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}
