// Agent outputs made from a seed: true markers, broken ones, look-alikes and ordinary text.
import type { Limits } from "../../src/core/protocol.ts";

export interface Generated {
  bytes: Uint8Array;
  token: string | undefined;
  limits: Partial<Limits>;
  /** The same numbers go on, for the chunk sizes. */
  next: () => number;
}

export function generate(seed: number): Generated {
  const next = numbers(seed);
  const token = next() < 0.2 ? "k7Qm2xVb9" : undefined;
  // Small limits, so that they are met.
  const small = {
    block: 150 + Math.floor(next() * 300),
    field: 24,
    fence: 40 + Math.floor(next() * 200),
  };
  const limits = next() < 0.4 ? small : {};
  const parts: string[] = [];
  if (next() < 0.05) parts.push("\ufeff");
  const count = 1 + Math.floor(next() * 7);
  for (let part = 0; part < count; part++) parts.push(`${piece(next, token)}\n`);
  let text = parts.join("");
  if (next() < 0.15) text = text.replaceAll("\n", "\r\n");
  if (next() < 0.3) text = text.slice(0, Math.floor(next() * text.length));
  const bytes = Buffer.from(text);
  for (let flips = next() < 0.2 ? 1 + Math.floor(next() * 3) : 0; flips > 0; flips--)
    if (bytes.length > 0) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256);
  return { bytes: new Uint8Array(bytes), token, limits, next };
}

// --- internal ---

type Next = () => number;

/** mulberry32: small, and the same everywhere. */
function numbers(seed: number): Next {
  let state = (seed * 0x9e37_79b1) | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(next: Next, from: readonly T[]): T {
  return from[Math.floor(next() * from.length)] as T;
}

function chance(next: Next, share: number): boolean {
  return next() < share;
}

function piece(next: Next, token: string | undefined): string {
  const made = next() < 0.62 ? marker(next, token) : filler(next);
  if (next() < 0.62) return made;
  return spoilt(next, made);
}

const ordinary = [
  "I read the code and will change the store next.",
  "",
  "    return items[0] === undefined;",
  "[ERROR] Failed to execute goal on project core",
  "[ERROR] type error in a.ts",
  "[INFO] done, ERROR COMPLETE QUESTION",
  "==========",
  "=== RUN   TestStore ===",
  "=== PHASE N COMPLETE ===",
  "README.md:12:=== PHASE 2 COMPLETE ===",
  "+=== PHASE 2 COMPLETE ===",
  "> === PHASE 2 COMPLETE ===",
  "The agent prints `=== PHASE 2 COMPLETE ===` at the end.",
  "Print === PHASE 2 COMPLETE === when done.",
  '{"type":"tool_result","content":"=== PHASE 2 COMPLETE ==="}',
  "\t=== PHASE 1 COMPLETE ===",
  "[/USER_QUESTION]",
  "- item",
  "작업을 마쳤습니다 ✅",
  "key: value",
  "Ready for review.",
  "```inline``` code",
  "x".repeat(300),
];

function filler(next: Next): string {
  const roll = next();
  if (roll < 0.6) return pick(next, ordinary);
  const mark = pick(next, ["```", "~~~", "````", "~~~~~"]);
  if (roll < 0.7) return mark + pick(next, ["", "ts", " json"]);
  const inside = [pick(next, ordinary), marker(next, undefined), pick(next, ["``", "```", "~~~"])];
  return [mark + pick(next, ["", "ts"]), pick(next, inside), pick(next, inside), mark].join("\n");
}

function marker(next: Next, token: string | undefined): string {
  const given =
    token === undefined
      ? chance(next, 0.03)
        ? " other"
        : ""
      : chance(next, 0.85)
        ? ` ${token}`
        : pick(next, ["", " wrong", " two words"]);
  const roll = next();
  if (roll < 0.2) return phase(next, given);
  if (roll < 0.28) return custom(next, given);
  if (roll < 0.4) return verification(next, given);
  if (roll < 0.5) return oneLine(next, given);
  const name = pick(next, ["DEPENDENCY_REQUEST", "USER_QUESTION", "ERROR"] as const);
  return chance(next, 0.3) ? jsonForm(next, name, given) : plainForm(next, name, given);
}

const words = [
  "Which one?",
  "Planning, then design",
  "a\\nb",
  "C:\\new",
  "값: 있음",
  "x".repeat(30),
  "\\\\n",
  "\\\\\\n",
  "type: fatal, message: no",
];

/** Values as JSON would hold them; the other forms only get texts and lists of them. */
type Fields = [key: string, value: unknown][];

function fieldsOf(next: Next, name: string): Fields {
  const text = (): string => pick(next, words);
  const flag = (): string => pick(next, ["true", "false", "true", "false", "false", "yes"]);
  const maybe = (field: Fields[number], share = 0.4): Fields =>
    chance(next, share) ? [field] : [];
  if (name === "DEPENDENCY_REQUEST") {
    const type = pick(next, [
      "api_key",
      "env_variable",
      "service",
      "file",
      "permission",
      "package",
      "file",
      "key",
    ]);
    return [
      ["type", type],
      ["name", "API_KEY"],
      ["description", text()],
      ["required", flag()],
      ...maybe(["default", text()]),
    ];
  }
  if (name === "USER_QUESTION") {
    const category = pick(next, [
      "business",
      "clarification",
      "choice",
      "confirmation",
      "choice",
      "other",
    ]);
    const options = pick(next, [["A", "B"], ["a, b", "c"], ["one"], [], ["x".repeat(40)]]);
    return [
      ["category", category],
      ["question", text()],
      ...maybe(["options", options], 0.75),
      ...maybe(["default", "A"]),
      ["required", flag()],
    ];
  }
  return [
    ["type", pick(next, ["recoverable", "fatal", "fatal", "warning"])],
    ["message", text()],
    ...maybe(["details", text()]),
    ["recovery", pick(next, ["pause_and_retry", "checkpoint_and_fail", "notify_user", "none"])],
    ...maybe(["retry_after", pick(next, ["60", "1.5", "soon"])], 0.2),
    ...maybe(
      [
        "reset_at",
        pick(next, [
          "1770000000",
          "2026-02-09T10:00:00Z",
          "2026-02-09 10:00+09:00",
          "2026-02-31T99:00:00Z",
          "tomorrow",
        ]),
      ],
      0.2,
    ),
  ];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function mangled(next: Next, fields: Fields): Fields {
  const out = [...fields];
  const at = Math.floor(next() * out.length);
  const roll = next();
  if (roll < 0.06) out.splice(at, 1);
  else if (roll < 0.09) out.splice(at, 0, out[at] as Fields[number]);
  else if (roll < 0.12) out.push(["priority", "high"]);
  else if (roll < 0.25) out.reverse();
  return out;
}

function plainForm(next: Next, name: string, given: string): string {
  const margin = pick(next, ["", "", "", "  ", "\t"]);
  const lines = [`[${name}${given}]`];
  for (const [key, value] of mangled(next, fieldsOf(next, name))) {
    if (Array.isArray(value)) lines.push(...listLines(next, margin, key, value));
    else lines.push(`${margin}${key}:${pick(next, [" ", " ", "", "\t"])}${textOf(value)}`);
    if (chance(next, 0.1))
      lines.push(`${margin}  more text`, ...(chance(next, 0.5) ? ["", `${margin}    deeper`] : []));
    if (chance(next, 0.04)) lines.push(`${margin}  \`\`\``, `${margin}  code`, `${margin}  \`\`\``);
    if (chance(next, 0.04)) lines.push("");
    if (chance(next, 0.03)) lines.push("a stray line");
  }
  if (chance(next, 0.93)) lines.push(`[/${chance(next, 0.95) ? name : "ERROR"}]`);
  return lines.join("\n");
}

function listLines(next: Next, margin: string, key: string, items: readonly string[]): string[] {
  const roll = next();
  if (roll < 0.3) return [`${margin}${key}: [${items.join(", ")}]`];
  if (roll < 0.4) return [`${margin}${key}: ${JSON.stringify(items)}`];
  if (roll < 0.45) return [`${margin}${key}: ${items.join(", ")}`];
  const indent = pick(next, ["", "  ", "      "]);
  return [`${margin}${key}:`, ...items.map((item) => `${margin}${indent}- ${item}`)];
}

function jsonForm(next: Next, name: string, given: string): string {
  const fields = mangled(next, fieldsOf(next, name)).map(([key, value]): Fields[number] => {
    if (key === "required" && chance(next, 0.7)) return [key, value === "true"];
    if (chance(next, 0.04)) return [key, pick(next, [null, 7, { a: 1 }, [{}], ["x"]])];
    return [key, value];
  });
  const object = Object.fromEntries(fields);
  let body = chance(next, 0.5) ? JSON.stringify(object) : JSON.stringify(object, null, 2);
  if (chance(next, 0.06)) body = body.slice(0, -1);
  if (chance(next, 0.1)) body = `\`\`\`json\n${body}\n\`\`\``;
  const [open, close] = [
    `[${name}_JSON${given}]`,
    chance(next, 0.95) ? `[/${name}_JSON]` : `[/${name}]`,
  ];
  return pick(next, [
    `${open}${body}${close}`,
    `${open}\n${body}\n${close}`,
    `${open} ${body}\n${close}`,
    `${open}\n${body}${close}`,
  ]);
}

function oneLine(next: Next, given: string): string {
  const fields = mangled(next, fieldsOf(next, "ERROR")).filter(
    ([key]) => key === "type" || chance(next, 0.6),
  );
  const text = fields
    .map(([key, value]) => `${key}: ${textOf(value)}`)
    .join(pick(next, [", ", ","]));
  return `[ERROR${given}]${pick(next, [" ", " ", "", "  "])}${text}`;
}

function phase(next: Next, given: string): string {
  const lines = [
    `=== PHASE ${pick(next, ["1", "2", "4", "0", "12345", "N"])} COMPLETE${given} ===`,
  ];
  if (chance(next, 0.6))
    lines.push(
      pick(next, [
        "Completed: Phase 1 (Planning)",
        "Phase: Planning",
        "completed:",
        `Completed: ${"y".repeat(40)}`,
      ]),
    );
  if (chance(next, 0.7)) {
    lines.push(
      pick(next, [
        "Documents created:",
        "Files created:",
        "Documents Created: 2 files",
        "Files created: [a.md, b.md]",
      ]),
    );
    for (let files = Math.floor(next() * 4); files > 0; files--)
      lines.push(
        pick(next, ["- docs/a.md", "  - `docs/b.md`", "-", "- c d.md", `- ${"z".repeat(60)}`]),
      );
  }
  if (chance(next, 0.5))
    lines.push(pick(next, ["", "===", "Ready for review.", "Ready for review", "Done."]));
  return lines.join("\n");
}

function custom(next: Next, given: string): string {
  const lines = [`=== CUSTOM TASK COMPLETE${given} ===`];
  if (chance(next, 0.7)) lines.push("Task: tidy the imports");
  if (chance(next, 0.7))
    lines.push(
      "Summary: 12 files",
      ...(chance(next, 0.4) ? ["  and their tests", "\tall green"] : []),
    );
  if (chance(next, 0.3)) lines.push(pick(next, ["", "===", "Task: again"]));
  return lines.join("\n");
}

function verification(next: Next, given: string): string {
  const criterion = (): object => ({
    id: pick(next, ["P1_CONS_01", "P1_02", ""]) || "P",
    status: pick(next, ["passed", "failed", "passed", "failed", "maybe"]),
    ...(chance(next, 0.5) ? { details: pick(next, ['a } [ " b', "fine", "w".repeat(30)]) } : {}),
    ...(chance(next, 0.3) ? { suggestion: "write it", affectedDocuments: ["docs/a.md"] } : {}),
  });
  const criteria = Array.from({ length: Math.floor(next() * 3.8) }, criterion);
  const body = JSON.stringify({ criteria }, null, pick(next, [0, 2]));
  const cut = chance(next, 0.06) ? body.slice(0, Math.floor(next() * body.length)) : body;
  const mark = pick(next, ["```", "~~~"]);
  const form = pick(next, [
    cut,
    cut,
    `${mark}json\n${cut}\n${mark}`,
    `\n${cut}`,
    `${mark}\n${cut}`,
  ]);
  return `=== VERIFICATION_RESULT${given} ===\n${form}`;
}

/** Small damage, of the kind agents do and of the kind that makes a marker innocent. */
function spoilt(next: Next, text: string): string {
  const lines = text.split("\n");
  const at = Math.floor(next() * lines.length);
  const line = lines[at] ?? "";
  const roll = next();
  if (roll < 0.15) return lines.map((one) => `> ${one}`).join("\n");
  if (roll < 0.25) return lines.map((one) => `    ${one}`).join("\n");
  if (roll < 0.4) lines[at] = pick(next, [" ", "   ", "    ", "\t", "`", "+"]) + line;
  else if (roll < 0.55) lines[at] = line + pick(next, [" ", "\t ", " and more", "`", "\r"]);
  else if (roll < 0.65) lines.splice(at, 1);
  else if (roll < 0.75) lines.splice(at, 0, line);
  else if (roll < 0.85) lines.splice(at, 0, marker(next, undefined));
  else
    lines[at] =
      line.slice(0, Math.floor(next() * line.length)) +
      line.slice(Math.floor(next() * line.length));
  return lines.join("\n");
}
