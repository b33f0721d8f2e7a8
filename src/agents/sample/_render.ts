// What an instruction prints. The same for the same session: after a crash the size of the output
// alone tells how much of it is out.
import { type Language, msg, render } from "../../core/messages.ts";
import { type Count, type Op, POUR, counters, fill } from "./language.ts";
import type { Session } from "./session.ts";

export interface Printed {
  readonly text: string;
  /** A marker has to be whole: cut, it is printed again from its start. Other lines are not. */
  readonly marker: boolean;
}

/** Null: this instruction prints nothing. */
export function printed(op: Op, session: Session, token: string | undefined): Printed | null {
  const line = (text: string): string => folded(filled(session, text));
  switch (op.do) {
    case "say":
      return { text: `${filled(session, op.text, folded)}\n`, marker: false };
    case "heard":
      return { text: `${heard(session.language, session.feedback)}\n`, marker: false };
    case "pour":
      return { text: poured(session.loops.at(-1) ?? 1), marker: false };
    case "phase":
      return phase(countOf(op.number, session), op.files.map(line), token);
    case "done":
      return done(line(op.summary), token);
    case "verdict":
      return verdict(op.verdict === "pass", line(op.details), token);
    case "ask": {
      const { category } = op;
      const options = op.options.map(line);
      const fields = { category, question: line(op.question), options, required: "true" };
      return block("USER_QUESTION", fields, token);
    }
    case "need": {
      const description = line(op.description) || render(session.language, msg("sample.needs"));
      const { type, name } = op;
      return block("DEPENDENCY_REQUEST", { type, name, description, required: "true" }, token);
    }
    case "limit": {
      const message = render(session.language, msg("sample.limited"));
      const recovery = "pause_and_retry";
      const seconds = String(countOf(op.seconds, session));
      return block(
        "ERROR",
        { type: "recoverable", message, recovery, retry_after: seconds },
        token,
      );
    }
    case "error": {
      const fields = { type: "recoverable", message: line(op.message), recovery: op.recovery };
      return block("ERROR", fields, token);
    }
    case "fatal": {
      const recovery = "checkpoint_and_fail";
      return block("ERROR", { type: "fatal", message: line(op.message), recovery }, token);
    }
    case "usage": {
      const spent = { tokens: countOf(op.tokens, session), cost_usd: op.cost };
      return jsonForm("USAGE", spent, token);
    }
    default:
      return null;
  }
}

export function countOf(count: Count, session: Session): number {
  return typeof count === "number" ? count : (session.loops[count.loop] ?? 0);
}

/** With the blanks filled; `shape` is applied to what people wrote. */
export function filled(
  session: Session,
  text: string,
  shape: (value: string) => string = (value) => value,
): string {
  return fill(text, (name) => {
    if (name === "answer" || name === "feedback") return shape(session[name]);
    const loop = counters.findIndex((counter) => counter === name);
    const counter = session.loops[loop];
    return loop < 0 || counter === undefined ? undefined : String(counter);
  });
}

// --- internal ---

function folded(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function heard(language: Language, feedback: string): string {
  return render(language, msg("sample.heard", { feedback: folded(feedback) }));
}

/** With its number, so that a lost or doubled line can be seen. */
function poured(counter: number): string {
  const first = (counter - 1) * POUR.lines + 1;
  const lines = Array.from({ length: POUR.lines }, (_, index) =>
    `flood ${first + index} `.padEnd(POUR.width - 1, "."),
  );
  return `${lines.join("\n")}\n`;
}

const behind = (token: string | undefined): string => (token === undefined ? "" : ` ${token}`);

function phase(number: number, files: readonly string[], token: string | undefined): Printed {
  const list = files.length === 0 ? [] : ["Files created:", ...files.map((file) => `- ${file}`)];
  const lines = [
    `=== PHASE ${number} COMPLETE${behind(token)} ===`,
    `Completed: Phase ${number}`,
    ...list,
  ];
  // The empty line ends it.
  return { text: `${lines.join("\n")}\n\n`, marker: true };
}

function done(summary: string, token: string | undefined): Printed {
  const text = `=== CUSTOM TASK COMPLETE${behind(token)} ===\nSummary: ${summary}\n\n`;
  return { text, marker: true };
}

function verdict(passed: boolean, details: string, token: string | undefined): Printed {
  const criterion = { id: "sample", status: passed ? "passed" : "failed", details };
  const json = JSON.stringify({ criteria: [criterion] });
  return { text: `=== VERIFICATION_RESULT${behind(token)} ===\n${json}\n`, marker: true };
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

function block(name: string, fields: Fields, token: string | undefined): Printed {
  // Backslashes and fences have a meaning in the lines of a block; in JSON they have none.
  if (
    Object.values(fields)
      .flat()
      .some((value) => /[\\`~]/.test(value))
  )
    return jsonForm(name, fields, token);
  const lines = Object.entries(fields).flatMap(([key, value]) => {
    if (typeof value === "string") return [`${key}: ${value}`];
    return value.length === 0 ? [] : [`${key}:`, ...value.map((item) => `  - ${item}`)];
  });
  const text = `${[`[${name}${behind(token)}]`, ...lines, `[/${name}]`].join("\n")}\n`;
  return { text, marker: true };
}

function jsonForm(name: string, fields: object, token: string | undefined): Printed {
  const text = `[${name}_JSON${behind(token)}]${JSON.stringify(fields)}[/${name}_JSON]\n`;
  return { text, marker: true };
}
