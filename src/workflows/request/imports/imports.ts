// Does one file of a design import another? GATE-4 asks it of every boundary that is forbidden (S4.4).
// Three languages are read; of any other the gate says that it was not looked at.
import { importsOfJavaScript } from "./_javascript.ts";
import { usesOfJava } from "./_java.ts";
import { importsOfPython } from "./_python.ts";
import { folderOf, joined, segmentsOf, stemOf } from "../paths.ts";

export interface Import {
  /** As it is written: `./a.js`, `..pkg.mod`, `com.example.A`. */
  readonly target: string;
  /** Of Python's `from a import b, c`: each may be a module. */
  readonly names: readonly string[];
  readonly line: number;
}

export type ScannedLanguage = "javascript" | "python" | "java";

/** Undefined: in no language that is read here. */
export function languageOf(path: string): ScannedLanguage | undefined {
  if (/\.[cm]?[jt]sx?$/.test(path)) return "javascript";
  if (/\.pyi?$/.test(path)) return "python";
  return path.endsWith(".java") ? "java" : undefined;
}

export interface Uses {
  readonly language: ScannedLanguage;
  readonly imports: readonly Import[];
  /** Of Java: classes of the same package are used by their name alone. */
  readonly words: ReadonlySet<string>;
}

export function usesIn(path: string, text: string): Uses | undefined {
  const language = languageOf(path);
  if (language === undefined) return undefined;
  if (language === "java") return { language, ...usesOfJava(text) };
  const imports = language === "javascript" ? importsOfJavaScript(text) : importsOfPython(text);
  return { language, imports, words: new Set() };
}

/** The line of the first import of `to`, a file of the project; undefined: there is none. */
export function lineOfFile(from: string, uses: Uses, to: string): number | undefined {
  if (uses.language === "java" && folderOf(from) === folderOf(to) && uses.words.has(stemOf(to)))
    return uses.imports.find((one) => hitsFile(from, uses, one, to))?.line ?? 1;
  return uses.imports.find((one) => hitsFile(from, uses, one, to))?.line;
}

/** The same for what no file of the design is: a package, by its name. */
export function lineOfPackage(uses: Uses, name: string): number | undefined {
  const separator = uses.language === "javascript" ? "/" : ".";
  return uses.imports.find(({ target, names }) =>
    [target, ...names.map((each) => `${target}.${each}`)].some(
      (each) => each === name || each.startsWith(`${name}${separator}`),
    ),
  )?.line;
}

// --- internal ---

function hitsFile(from: string, { language, words }: Uses, one: Import, to: string): boolean {
  if (language === "javascript") return hitsScript(from, one.target, to);
  if (language === "python") return hitsModule(from, one, to);
  return hitsClass(one.target, words, to);
}

/** `./a`, `./a.js` for a.ts, a folder's index; `@/b/c` and `src/b/c` by the end of the path. */
function hitsScript(from: string, target: string, to: string): boolean {
  const file = plainScript(to);
  if (/^\.{1,2}(?:\/|$)/.test(target)) return plainScript(joined(folderOf(from), target)) === file;
  if (target.startsWith("/")) return plainScript(target.slice(1)) === file;
  const all = segmentsOf(plainScript(target));
  // An alias stands for a folder we do not know: what follows it has to be the file's end.
  const alias = /^(?:[@~#]|@[\w-]+)$/.test(all[0] ?? "");
  const parts = alias ? all.slice(1) : all;
  if (parts.length === 0) return false;
  // One word is a package, unless a file of that name lies where sources begin.
  if (parts.length === 1 && !alias) return file === parts[0] || file === `src/${parts[0]}`;
  return endsWithParts(segmentsOf(file), parts);
}

function plainScript(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "");
}

function hitsModule(from: string, { target, names }: Import, to: string): boolean {
  const file = segmentsOf(to.replace(/\.pyi?$/, "").replace(/\/__init__$/, ""));
  const dots = /^\.*/.exec(target)?.[0].length ?? 0;
  const module = target.slice(dots).split(".").filter(Boolean);
  const all = [module, ...names.map((name) => [...module, name])];
  if (dots > 0) {
    const folder = segmentsOf(folderOf(from));
    const base = folder.slice(0, folder.length - (dots - 1));
    return all.some(
      (parts) => parts.length > 0 && [...base, ...parts].join("/") === file.join("/"),
    );
  }
  return all.some((parts) => {
    if (parts.length === 0) return false;
    if (parts.length > 1) return endsWithParts(file, parts);
    const at = file.slice(0, -1).join("/");
    return file.at(-1) === parts[0] && ["", "src", folderOf(from)].includes(at);
  });
}

/** `a.b.C`, a member of it, or `a.b.*` where the class is named. */
function hitsClass(target: string, words: ReadonlySet<string>, to: string): boolean {
  const file = segmentsOf(to.replace(/\.java$/, ""));
  const parts = target.split(".");
  if (parts.at(-1) === "*") {
    const inside = parts.slice(0, -1);
    if (endsWithParts(file, inside)) return true;
    return endsWithParts(file.slice(0, -1), inside) && words.has(file.at(-1) ?? "");
  }
  return parts.some(
    (_, cut) => cut < parts.length - 1 && endsWithParts(file, parts.slice(0, parts.length - cut)),
  );
}

function endsWithParts(file: readonly string[], parts: readonly string[]): boolean {
  return (
    parts.length <= file.length &&
    parts.every((part, at) => file[file.length - parts.length + at] === part)
  );
}
