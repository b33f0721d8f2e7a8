// `doctor`: is everything in order, and if not, what to do (S6.1, S2.7, S6.7)? Looks only;
// with --fix it does what is safe, looks again, and tells what was done.
import { z } from "zod";
import { type Message, msg } from "../../core/messages.ts";
import { takeOverRepository } from "../../git/mark.ts";
import { type Context, type Operation, sentence } from "../operation.ts";
import {
  checkDatabase,
  checkDisk,
  checkGit,
  checkLeftovers,
  checkMoved,
  checkNode,
  checkProject,
  checkSandbox,
} from "./_doctor-checks.ts";
import { checkDocuments, checkDrift } from "./_doctor-documents.ts";
import { fixAll } from "./_doctor-fixes.ts";
import { checkHomeFolder, checkModes } from "./_doctor-home.ts";
import { looking } from "./_doctor-lines.ts";
import { checkMemory } from "./_doctor-memory.ts";
import { checkRecall } from "./_doctor-recall.ts";
import { checkServer } from "./_doctor-server.ts";

export const topics = [
  "node",
  "git",
  "project",
  "home",
  "disk",
  "database",
  "documents",
  "locks",
  "server",
  "sandbox",
] as const;

export type Topic = (typeof topics)[number];

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

export const input = () =>
  z.strictObject({ fix: z.boolean().optional(), takeOver: z.boolean().optional() });

export const output = () =>
  z.object({ ok: z.boolean(), lines: z.array(line()), fixed: z.array(sentence()) });

export type Checkup = z.infer<ReturnType<typeof output>>;

export const operation: Operation<z.infer<ReturnType<typeof input>>, Checkup> = {
  name: "doctor",
  fields: { fix: msg("op.doctor.fix"), takeOver: msg("op.doctor.take_over") },
  run: async (context, { fix = false, takeOver = false }) => {
    const { fixed, failed } = fix ? await fixAll(context) : { fixed: [], failed: [] };
    const taken = takeOver ? takeOverRepository(context.project.root, context.home.path) : [];
    const lines = withFailed(await checkAll(context), failed);
    const told = [...fixed, ...taken.map((mark) => msg("mark.taken_over", { ...mark }))];
    return { ok: !lines.some(isProblem), lines, fixed: told };
  },
};

// --- internal ---

type Check = (context: Context) => Line[] | Promise<Line[]>;

/** In the order in which they are shown. Modes are looked at before the database is opened. */
const checks: readonly (readonly [Topic, Check])[] = [
  ["node", () => checkNode()],
  ["git", checkGit],
  ["project", checkProject],
  ["project", checkMoved],
  ["home", checkHomeFolder],
  ["disk", checkDisk],
  ["database", checkModes],
  ["database", checkDatabase],
  ["database", checkRecall],
  ["documents", checkDocuments],
  ["documents", checkDrift],
  ["documents", checkMemory],
  ["locks", checkLeftovers],
  ["server", checkServer],
  ["sandbox", checkSandbox],
];

const inHome: ReadonlySet<Topic> = new Set(["home", "disk"]);

function isProblem({ level }: Line): boolean {
  return level === "problem";
}

async function checkAll(context: Context): Promise<Line[]> {
  // Without a project or a home there is nothing to look at: that is the whole answer.
  const { project, home } = context;
  const found: Line[] = [];
  for (const [topic, check] of checks)
    found.push(
      ...(await looking(topic, inHome.has(topic) ? home.path : project.root, () => check(context))),
    );
  // What is wrong with a file says more than that it is not as it was.
  const wrong = new Set(found.filter(isProblem).flatMap(({ path }) => path ?? []));
  return found.filter(({ level, path = "" }) => level !== "notice" || !wrong.has(path));
}

/** What was tried in vain is told once: why a damaged document stayed is in the attempt's hint. */
function withFailed(found: readonly Line[], failed: readonly Line[]): Line[] {
  const lines = found.map((each) => {
    const { hint } = failed.find(({ path, corrupt }) => corrupt && path === each.path) ?? {};
    return each.corrupt && each.path !== undefined && hint ? { ...each, hint } : each;
  });
  const rest = failed.filter(
    (each) =>
      !found.some(
        ({ level, path, corrupt, message }) =>
          level === "problem" &&
          (same(message, each.message) ||
            (path !== undefined && path === each.path && corrupt === each.corrupt)),
      ),
  );
  return [...lines, ...rest];
}

function same(one: Message, other: Message): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
