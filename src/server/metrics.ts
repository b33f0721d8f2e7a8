// Figures in Prometheus' text form.
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Figures } from "../app/serving.ts";
import type { Streams } from "./streams.ts";

export interface Lag {
  /** Seconds by which timers came late: half of them, nearly all, the worst. */
  read(): { readonly p50: number; readonly p99: number; readonly max: number };
  stop(): void;
}

export function measureLag(): Lag {
  const histogram = monitorEventLoopDelay({ resolution });
  histogram.enable();
  return {
    read: () => ({
      p50: seconds(histogram.percentile(50)),
      p99: seconds(histogram.percentile(99)),
      max: seconds(histogram.max),
    }),
    stop: () => void histogram.disable(),
  };
}

export function metricsText(
  figures: Figures,
  streams: Pick<Streams, "open" | "dropped">,
  lag: ReturnType<Lag["read"]>,
  rss: number,
): string {
  const { tasks, agents, slots, open, ticks, commits } = figures;
  const { count, within } = commits;
  return [
    ...metric("tasks", "gauge", "Tasks by status", labelled("status", tasks)),
    ...metric("agents", "gauge", "Agents by status", labelled("status", agents)),
    ...metric("slots_used", "gauge", "Slots in which an agent works", [["", slots.used]]),
    ...metric("slots_total", "gauge", "Slots there are", [["", slots.total]]),
    ...metric("waiting", "gauge", "What waits for a person", labelled("kind", open)),
    ...metric("ticks_total", "counter", "Committed ticks of the engine", [["", ticks]]),
    ...metric("commit_seconds", "histogram", "How long a commit took", [
      ...within.map((each) => [`_bucket{le="${each.seconds}"}`, each.count] as const),
      [`_bucket{le="+Inf"}`, count],
      ["_sum", commits.seconds],
      ["_count", count],
    ]),
    ...metric("streams", "gauge", "Open event streams", [["", streams.open]]),
    ...metric("streams_dropped_total", "counter", "Streams whose reader was too slow", [
      ["", streams.dropped],
    ]),
    ...metric("event_loop_lag_seconds", "gauge", "How late timers come", [
      ['{quantile="0.5"}', lag.p50],
      ['{quantile="0.99"}', lag.p99],
      ['{quantile="1"}', lag.max],
    ]),
    ...metric("resident_memory_bytes", "gauge", "Memory of the server", [["", rss]]),
    "",
  ].join("\n");
}

// --- internal ---

/** Between two looks; the histogram counts it as part of the delay. */
const resolution = 20;

const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolution / 1e3);

type Sample = readonly [suffix: string, value: number];

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string[] {
  return [
    `# HELP holdfast_${name} ${help}`,
    `# TYPE holdfast_${name} ${type}`,
    ...samples.map(([suffix, value]) => `holdfast_${name}${suffix} ${value}`),
  ];
}

/** Statuses and kinds are words of our own: nothing in them needs escaping. */
function labelled(label: string, counts: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(counts).map(([value, count]) => [`{${label}="${value}"}`, count]);
}
