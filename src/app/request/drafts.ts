// What an agent left behind, read: contracts by their format's own rules, each complaint with its line;
// a verdict as plain data; patterns as the knowledge they would become.
import { loadCodec } from "../../formats/codec.ts";
import type { Explored } from "../../formats/explored.ts";
import type { Finding } from "../../formats/format.ts";
import { parseJson } from "../../formats/json.ts";
import { lookInside } from "../../git/files.ts";
import { absentFiles, unfilled } from "../../workflows/request/accept.ts";
import type { Board } from "../../workflows/request/board.ts";
import type { Draft } from "../../workflows/request/events.ts";
import { type Patterns, noKnowledge } from "../../workflows/request/learn.ts";
import type { ContractFormat } from "../../workflows/request/places.ts";
import { works } from "../../workflows/request/roles.ts";
import type { AgentStep } from "../../workflows/request/steps.ts";

export async function draftsOf(
  board: Board,
  { work, draft, wanted }: AgentStep,
  files: Readonly<Record<string, string>>,
  root: string,
): Promise<Record<string, Draft>> {
  const found: Record<string, Draft> = {};
  const { writes } = works[work];
  const text = draft === null ? undefined : files[draft];
  if (draft !== null && text !== undefined && writes !== null)
    found[draft] =
      writes === "verdict" ? verdictIn(draft, text) : await contractIn(writes, draft, text, root);
  for (const path of wanted) {
    const patterns = path === draft || !path.endsWith(".patterns.yaml") ? undefined : files[path];
    if (patterns !== undefined) found[path] = await patternsIn(board.session, path, patterns);
  }
  return found;
}

/** `root`: the project in which the files that a contract names are looked for. */
export async function contractIn(
  format: ContractFormat,
  path: string,
  text: string,
  root?: string,
): Promise<Draft> {
  const read = await (await loadCodec(format)).inspect(Buffer.from(text, "utf8"));
  if (!read.ok) return { ok: false, path, findings: read.findings };
  const absent =
    format === "explored" && root !== undefined
      ? absentFiles(read.value as Explored, (file) => lookInside(root, file).kind !== "missing")
      : [];
  if (absent.length > 0) return { ok: false, path, findings: absent };
  return { ok: true, value: read.value };
}

/** Read as what they would be: a part of knowledge.yaml. */
export async function patternsIn(
  of: Pick<Board["session"], "project">,
  path: string,
  text: string,
): Promise<Draft> {
  const { parseYaml } = await import("../../formats/yaml.ts");
  const parsed = parseYaml(text);
  if (!parsed.ok) return { ok: false, path, findings: parsed.findings };
  const epoch = new Date(0).toISOString();
  const known = { ...noKnowledge(of, epoch), patterns: parsed.value as Patterns };
  const wrong = (await loadCodec("knowledge")).check(known).filter(isError);
  const findings = wrong.length > 0 ? wrong : unfilled(known.patterns);
  return findings.length === 0 ? { ok: true, value: parsed.value } : { ok: false, path, findings };
}

// --- internal ---

function isError({ level }: Finding): boolean {
  return level === "error";
}

function verdictIn(path: string, text: string): Draft {
  const parsed = parseJson(text);
  return parsed.ok
    ? { ok: true, value: parsed.value }
    : { ok: false, path, findings: parsed.findings };
}
