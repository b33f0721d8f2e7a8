// A machine's own account of what it would take or refuse, as `why` shows it.
import type { Explained, MachineTypes } from "../../core/machine.ts";
import type { ExplainedEvent } from "./why.ts";

/** `judged`: the events whose facts a document holds; of the others nothing is claimed. */
export function eventsOf<T extends MachineTypes>(
  lines: readonly Explained<T>[],
  judged: readonly T["event"][],
): ExplainedEvent[] {
  return lines.flatMap((line): ExplainedEvent[] => {
    if (!judged.includes(line.event)) return [];
    if (line.allowed) return [{ event: line.event, allowed: true, to: line.to, reasons: [] }];
    // An event that this state never takes explains nothing.
    const reasons = line.reasons.filter(({ key }) => key !== "machine.no_transition");
    return reasons.length > 0 ? [{ event: line.event, allowed: false, reasons }] : [];
  });
}
