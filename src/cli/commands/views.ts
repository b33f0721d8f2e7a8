// How units, figures, machines, settings and a test message read on a terminal.
import type { Machines } from "../../app/operations/machines.ts";
import type { Metrics } from "../../app/operations/metrics.ts";
import type { Notified } from "../../app/operations/notify.ts";
import type { SettingsView } from "../../app/operations/settings.ts";
import type { UnitNode, Units } from "../../app/operations/units.ts";
import { msg } from "../../core/messages.ts";
import type { Command, Look } from "../command.ts";
import { countText, durationText, moneyText } from "../figures.ts";

export const units: Command<Units> = {
  positional: "workflow",
  examples: [
    { line: "holdfast units", does: msg("cli.units.example") },
    { line: "holdfast units develop", does: msg("cli.units.example.one") },
  ],
  print: ({ runs, workflow, nodes, edges, critical }, look) => {
    const { say, paint } = look;
    const run = runs.find((one) => one.workflow === workflow);
    if (run === undefined) return say(msg("cli.units.none"));
    const before = new Map<string, string[]>();
    for (const { from, to } of edges) before.set(to, [...(before.get(to) ?? []), from]);
    const chain = say(msg("cli.units.critical", { ids: critical.join(" → ") }));
    return [
      `${paint("bold", run.workflow)}  ${run.title}  ${run.done}/${run.total}`,
      ...nodes.map((node) => unitText(node, before.get(node.id) ?? [], look)),
      ...(critical.length > 0 ? [paint("dim", chain)] : []),
    ].join("\n");
  },
};

export const metrics: Command<Metrics> = {
  examples: [
    { line: "holdfast metrics", does: msg("cli.metrics.example") },
    { line: "holdfast metrics --days 30 --json", does: msg("cli.metrics.example.days") },
  ],
  print: ({ from, to, totals, days, tasks }, look) =>
    [
      `${look.paint("bold", `${from} … ${to}`)}  ${sumsText(totals, look)}`,
      ...days
        .filter(({ workingMs, waitingMs, costUsd }) => workingMs + waitingMs + costUsd > 0)
        .map((day) => `  ${day.day}  ${sumsText(day, look)}`),
      ...tasks.slice(0, 10).map((task) => `  ${task.id}  ${task.title}  ${sumsText(task, look)}`),
    ].join("\n"),
};

export const machines: Command<Machines> = {
  examples: [{ line: "holdfast machines", does: msg("cli.machines.example") }],
  print: ({ machines: all }, { say, paint }) =>
    all
      .map(({ title, rows }) =>
        [
          paint("bold", say(title)),
          ...rows.map(({ from, on, to, refusals, needs }) =>
            [
              `  ${from} → ${to}  ${on}`,
              ...[...refusals, ...needs].map((text) => paint("dim", `      ${say(text)}`)),
            ].join("\n"),
          ),
        ].join("\n"),
      )
      .join("\n\n"),
};

export const settings: Command<SettingsView> = {
  examples: [{ line: "holdfast settings", does: msg("cli.settings.example") }],
  print: (shown, { say, paint }) => {
    const limit = ({ costUsd, tokens, minutes }: SettingsView["budgets"]["task"]): string =>
      [
        ...(costUsd === null ? [] : [moneyText(costUsd)]),
        ...(tokens === null ? [] : [`${countText(tokens)} tokens`]),
        ...(minutes === null ? [] : [durationText(minutes * 60_000)]),
      ].join(", ") || say(msg("cli.settings.no_limit"));
    const { agent, slots, budgets, webhooks, secrets } = shown;
    const names = [...new Set(secrets.map(({ name }) => name))].join(", ");
    return [
      paint("bold", shown.root),
      `  ${say(msg("cli.settings.agent"))}: ${agent ?? "–"}`,
      `  ${say(msg("cli.settings.slots"))}: ${slots ?? "–"}`,
      `  ${say(msg("cli.settings.task"))}: ${limit(budgets.task)}`,
      `  ${say(msg("cli.settings.day"))}: ${limit(budgets.day)}`,
      ...webhooks.map(({ name, kind, set }) => `  ${set ? "✓" : "✗"} ${kind} ${name}`),
      `  ${say(msg("cli.settings.secrets"))}: ${names || "–"}`,
    ].join("\n");
  },
};

export const notify: Command<Notified> = {
  positional: "name",
  examples: [{ line: "holdfast notify", does: msg("cli.notify.example") }],
  print: ({ sent }, { say, paint }) =>
    sent
      .map(({ name, ok, message }) => {
        const mark = ok ? paint("green", "✓") : paint("red", "✗");
        return `${mark} ${paint("bold", name)}  ${say(message)}`;
      })
      .join("\n"),
  exit: ({ sent }) => (sent.every(({ ok }) => ok) ? 0 : 4),
};

// --- internal ---

const marks: Readonly<Record<UnitNode["state"], string>> = {
  pending: ".",
  ready: ".",
  in_progress: ">",
  waiting: "?",
  completed: "✓",
  failed: "✗",
  blocked: "!",
  escalated: "?",
};

function unitText(
  { id, title, status, state }: UnitNode,
  before: readonly string[],
  { say, paint }: Look,
): string {
  const ids = before.join(", ");
  const after = ids === "" ? "" : `  ${say(msg("cli.units.waits", { ids }))}`;
  return `${marks[state]} ${paint("bold", id)}  ${title}  ${paint("dim", `${status}${after}`)}`;
}

function sumsText(sum: Metrics["totals"], { say }: Look): string {
  return say(
    msg("cli.metrics.sums", {
      cost: moneyText(sum.costUsd),
      tokens: countText(Math.round(sum.tokens)),
      worked: durationText(sum.workingMs),
      waited: durationText(sum.waitingMs),
      limit: durationText(sum.limitMs),
      retries: sum.retries,
    }),
  );
}
