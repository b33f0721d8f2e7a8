// `doctor`: is everything in order, and if not, what to do (S6.1, S2.7, S6.7)? Looks only;
// with --fix it does what is safe, looks again, and tells what was done.
import { z } from "zod";
import { msg } from "../../core/messages.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import {
  checkDatabase,
  checkDocuments,
  checkDrift,
  checkGit,
  checkHomeFolder,
  checkLeftovers,
  checkNode,
  checkProject,
  checkSandbox,
} from "./_doctor-checks.ts";
import { fixAll } from "./_doctor-fixes.ts";

export const topics = [
  "node",
  "git",
  "project",
  "home",
  "database",
  "documents",
  "locks",
  "sandbox",
] as const;

const line = () =>
  z.object({
    topic: z.enum(topics),
    level: z.enum(["ok", "notice", "problem"]),
    /** A document or the database itself is damaged. */
    corrupt: z.boolean().optional(),
    /** The file it is about, as it can be given to other commands. */
    path: z.string().optional(),
    message: sentence(),
    hint: sentence().optional(),
  });

export type Line = z.infer<ReturnType<typeof line>>;

export const input = () => z.strictObject({ fix: z.boolean().optional() });

export const output = () =>
  z.object({ ok: z.boolean(), lines: z.array(line()), fixed: z.array(sentence()) });

export type Checkup = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, Checkup> = {
  name: "doctor",
  fields: { fix: msg("op.doctor.fix") },
  run: async (context, { fix = false }) => {
    const { fixed, failed } = fix ? await fixAll(context) : { fixed: [], failed: [] };
    const found = await checkAll(context);
    // What could not be repaired is told once, by the check or by the attempt.
    const told = new Set(found.filter(isProblem).map(({ path }) => path));
    const lines = [...found, ...failed.filter(({ path }) => !told.has(path))];
    return { ok: !lines.some(isProblem), lines, fixed };
  },
};

// --- internal ---

function isProblem({ level }: Line): boolean {
  return level === "problem";
}

async function checkAll(context: Context): Promise<Line[]> {
  return [
    ...checkNode(),
    ...checkGit(context),
    ...checkProject(context),
    ...checkHomeFolder(context),
    ...(await checkDatabase(context)),
    ...(await checkDocuments(context)),
    ...(await checkDrift(context)),
    ...(await checkLeftovers(context)),
    ...checkSandbox(),
  ];
}
