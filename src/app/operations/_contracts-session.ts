// The contracts of the step a session may work on: read, and handed in as a draft that `report` takes.
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../core/errors.ts";
import { msg } from "../../core/messages.ts";
import { printYaml } from "../../formats/yaml.ts";
import { newFileMode } from "../../store/disk.ts";
import { replaceFile } from "../../store/replace.ts";
import { complaintsAbout } from "../../workflows/request/accept.ts";
import type { Board } from "../../workflows/request/board.ts";
import { contractsOf } from "../../workflows/request/prompts/prompt.ts";
import { skeletonOf } from "../../workflows/request/prompts/skeletons.ts";
import { works } from "../../workflows/request/roles.ts";
import type { AgentStep } from "../../workflows/request/steps.ts";
import { ownerOf } from "../_session-orchestrate-owner.ts";
import type { Context } from "../operation.ts";
import { freeSteps } from "../request/claims.ts";
import { isThere, readRequest, settleRequest } from "../request/documents.ts";
import { contractIn } from "../request/drafts.ts";
import { notBegun } from "./_request-looks.ts";
import { type Contracts, type Handed, findingsOf } from "./contracts.ts";

export const ofSession: Handed = async (context, { unit, text, session }) => {
  if (!(await isThere(context))) throw notBegun();
  await settleRequest(context);
  const { board } = await readRequest(context);
  if (board === undefined) throw notBegun();
  const steps = freeSteps(board, ownerOf(session, context.env), Date.now());
  const step = steps.find((each) => unit === undefined || each.unit === unit);
  if (step === undefined)
    throw new Fault("refused", msg("request.not_wanted", { unit: unit ?? board.run.id }), {
      hint: msg("request.next.hint"),
    });
  const handed = text === undefined ? undefined : await hand(context, board, step, text);
  return {
    unit: step.unit,
    role: step.role,
    contracts: contractsOf(board, step).map(([format, contract]) => ({
      name: `${format}.yaml`,
      text: printYaml(contract),
    })),
    write: step.draft,
    form: skeletonOf(step.work, board),
    valid: handed === undefined ? null : handed.length === 0,
    findings: handed ?? [],
  };
};

// --- internal ---

/** Kept only where nothing is wrong with it. */
async function hand(
  context: Context,
  board: Board,
  { work, draft, unit }: AgentStep,
  text: string,
): Promise<Contracts["findings"]> {
  const { writes } = works[work];
  if (draft === null || writes === null)
    throw new Fault("refused", msg("contracts.writes_none", { unit }));
  if (writes !== "verdict") {
    const read = await contractIn(writes, draft, text, context.project.root);
    if (!read.ok) return findingsOf(read.findings);
    const wrong = complaintsAbout(board, writes as never, read.value as never);
    if (wrong.length > 0) return findingsOf(wrong);
  }
  const path = join(context.project.root, draft);
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  await replaceFile({ path, temporary, text, mode: newFileMode, check: () => undefined });
  return [];
}
