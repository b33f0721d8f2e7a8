// The fields below a task: which key means what, and how its value is read.
import { type Risk, risks } from "./_task-list-types.ts";

export type FieldName =
  | "owner"
  | "dependencies"
  | "parallel"
  | "files"
  | "worktree"
  | "risk"
  | "model"
  | "check";

export interface FieldLine {
  /** null: a field we have no place for. */
  readonly name: FieldName | null;
  readonly key: string;
  readonly value: string;
  /** Column of the value, from 0. */
  readonly at: number;
  readonly bold: boolean;
}

/** `- **의존성**: T1.1`, `담당: x`, `**Depends on:** T1.1`, `* owner： x`. */
export function readField(text: string): FieldLine | null {
  const lead = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/.exec(text)?.[0] ?? "";
  const found = /^([^:：]{1,60})[:：]/.exec(text.slice(lead.length, lead.length + 61));
  if (found === null) return null;
  const [whole, raw = ""] = found;
  const key = raw.replace(/[*_`]{1,3}$|^[*_`]{1,3}/g, "").trim();
  const name = fieldNames.get(foldKey(key)) ?? null;
  const bold = /^(?:\*\*|__)/.test(raw);
  const item = lead.trim() !== "";
  let at = lead.length + whole.length;
  if (name === null) {
    const spaced = /^(?:[ \t*_]|$)/.test(text.slice(at)) || whole.endsWith("：");
    if (key === "" || raw.startsWith("`") || !spaced) return null;
    if (!bold && !(item && key.length <= 30)) return null;
  }
  // `**담당:** x`: the emphasis closes after the colon.
  const closes = bold && !/(?:\*\*|__)\s*$/.test(raw);
  const after = (closes ? /^(?:\*\*|__)?[ \t\u3000]*/ : /^[ \t\u3000]*/).exec(text.slice(at));
  at += after?.[0].length ?? 0;
  return { name, key, value: text.slice(at).trimEnd(), at, bold };
}

/** 없음, none, -, [] and nothing at all. */
export function isNone(value: string): boolean {
  const text = value
    .normalize("NFC")
    .toLowerCase()
    .replace(/[()（）[\]*_`"'.]/g, " ")
    .trim();
  return noneWords.test(text);
}

/** A value without the code marks, quotes or emphasis around the whole of it; null for none. */
export function plainValue(value: string): string | null {
  let text = value.trim();
  for (const mark of ["**", "__", "`", '"', "'"]) {
    const long = text.length > 2 * mark.length;
    if (long && text.startsWith(mark) && text.endsWith(mark))
      text = text.slice(mark.length, -mark.length).trim();
  }
  return isNone(text) ? null : text;
}

/** Code spans if there are any (the rest is talk), else what stands between commas and arrows. */
export function readFiles(value: string): string[] {
  const spans = value.split("`").filter((_, place) => place % 2 === 1);
  const parts =
    spans.length > 0
      ? spans
      : value
          .replace(/^\s*\[|\]\s*$/g, "")
          .split(/[,，、;\n]|→|->|=>/)
          .map(withoutExplanation);
  const files = parts.map((part) => plainValue(part) ?? "").filter((part) => part !== "");
  return [...new Set(files)];
}

/**
 * A command to run, or null for prose. A sentence must never reach a shell: what is not marked
 * as code counts only when nothing in it is Korean, as in `check: npm test`.
 */
export function readCheck(value: string): string | null {
  const spans = value.split("`").filter((span, place) => place % 2 === 1 && span.trim() !== "");
  if (spans.length > 0) return spans.map((span) => span.trim()).join(" && ");
  const text = plainValue(value);
  return text === null || hangul.test(text) ? null : text;
}

export function isShell(language: string): boolean {
  return ["", "bash", "sh", "shell", "zsh", "console"].includes(language);
}

export function readRisk(value: string): Risk | null {
  const word =
    (plainValue(value) ?? "")
      .normalize("NFC")
      .toLowerCase()
      .split(/[\s(（,/]/)[0] ?? "";
  return risks.find((risk) => risk === word) ?? koreanRisks.get(word) ?? null;
}

/** A path part that would leave the project, or that git and shells would stumble over. */
export function leavesProject(path: string): boolean {
  return (
    path.startsWith("/") ||
    path.startsWith("-") ||
    /^[A-Za-z]:|[\\\p{Cc}]/u.test(path) ||
    path.split("/").includes("..")
  );
}

// --- internal ---

const hangul = /[\p{Script=Hangul}]/u;
const noneWords =
  /^(?:[-–—\s]*|없음(?:[\s,:：–—-].*)?|(?:none|nothing|n\/a|null|nil|no)(?:[\s,:–—-].*)?|해당 ?없음|없다|무)$/;

const koreanRisks: ReadonlyMap<string, Risk> = new Map([
  ["낮음", "low"],
  ["보통", "medium"],
  ["중간", "medium"],
  ["높음", "high"],
  ["심각", "critical"],
  ["치명적", "critical"],
]);

// oxfmt-ignore
const words: Readonly<Record<FieldName, readonly string[]>> = {
  owner: ["담당", "담당자", "담당 에이전트", "owner", "agent", "assignee", "specialist"],
  dependencies: ["의존성", "의존", "의존 관계", "의존관계", "의존 태스크", "선행", "선행 작업", "선행 태스크",
    "depends", "depends on", "dependson", "dependencies", "dependency", "deps", "blocked by"],
  parallel: ["병렬", "병렬 가능", "병렬 실행", "parallel", "parallel with", "parallelwith"],
  files: ["파일", "files", "file"],
  worktree: ["worktree", "git worktree", "워크트리"],
  risk: ["risk", "위험", "위험도"],
  model: ["model", "모델"],
  check: ["check", "검증", "검증 명령", "verify"],
};

const fieldNames: ReadonlyMap<string, FieldName> = new Map(
  (Object.keys(words) as FieldName[]).flatMap((name) =>
    words[name].map((word): [string, FieldName] => [word, name]),
  ),
);

/** `src/a.ts (새 파일)` → `src/a.ts`; a bracket inside a name, `app/(auth)/x`, stays. */
function withoutExplanation(part: string): string {
  const text = part.trimEnd();
  const open = text.endsWith(")") ? text.lastIndexOf(" (") : -1;
  return open > 0 ? text.slice(0, open) : text;
}

function foldKey(key: string): string {
  return key
    .normalize("NFC")
    .toLowerCase()
    .replace(/[(（].*$/, "")
    .replace(/[\s_*`-]+/g, " ")
    .trim();
}
