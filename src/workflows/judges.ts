// Who may judge work in a session (S3.7b, S4.4): not who did it, as long as another session that did not is
// there. A lone session may; the journal says that it judged itself.

/** By session: when it last took up something of the run, in milliseconds since 1970. */
export type Seen = Readonly<Record<string, number>>;

/** A session counts as there for as long as a claim lasts without a word of it (S2.11). */
const thereMs = 60 * 60_000;

/** Sessions that are there and did none of it, who therefore should judge; empty: whoever asks may. */
export function otherJudges(
  session: string,
  authors: ReadonlySet<string>,
  seen: Seen | undefined,
  now: number,
): string[] {
  if (!authors.has(session)) return [];
  return Object.entries(seen ?? {})
    .filter(([name, at]) => !authors.has(name) && now - at < thereMs)
    .map(([name]) => name)
    .toSorted();
}

/** Only those that are there are worth remembering. */
export function seenWith(seen: Seen | undefined, session: string, now: number): Seen {
  const kept = Object.entries(seen ?? {}).filter(([, at]) => now - at < thereMs);
  return { ...Object.fromEntries(kept), [session]: now };
}
