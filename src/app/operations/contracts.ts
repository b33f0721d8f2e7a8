// `contracts`: an agent reads the contracts of its own role, and hands in the one it has written. What
// is wrong with it comes back field by field, and costs nothing: only a report counts (S4.3, S6.3).
import { z } from "zod";
import { Fault } from "../../core/errors.ts";
import { msg, render } from "../../core/messages.ts";
import type { Finding } from "../../formats/format.ts";
import type { Context, Operation } from "../operation.ts";

/** Those that agents write. */
const written = [
  "explored",
  "task-breakdown",
  "design-contract",
  "test-contract",
  "test-result",
] as const;

export const input = () =>
  z.strictObject({
    unit: z.string().min(1).max(60).optional(),
    format: z.enum(written).optional(),
    text: z.string().min(1).max(1_000_000).optional(),
    session: z.string().min(1).max(200).optional(),
  });

export const output = () =>
  z.object({
    unit: z.string().nullable(),
    role: z.string().nullable(),
    /** Exactly those of the role. */
    contracts: z.array(z.object({ name: z.string(), text: z.string() })),
    /** Where the step's own contract belongs, and its form. */
    write: z.string().nullable(),
    form: z.string().nullable(),
    /** Of a contract that was handed in; null: none was. */
    valid: z.boolean().nullable(),
    findings: z.array(
      z.object({
        field: z.string(),
        message: z.string(),
        expected: z.string().nullable(),
        got: z.string().nullable(),
        line: z.int().nullable(),
      }),
    ),
  });

export type Input = z.infer<ReturnType<typeof input>>;
export type Contracts = z.infer<ReturnType<typeof output>>;

export const operation: Operation<Input, Contracts> = {
  name: "contracts",
  fields: {
    unit: msg("op.contracts.unit"),
    format: msg("op.contracts.format"),
    text: msg("op.contracts.text"),
    session: msg("op.next.session"),
  },
  run: async (context, given) => {
    // In a run its contracts stand in its prompt, and its draft lies in its own workspace.
    if (given.format !== undefined || context.caller !== null) return checked(given);
    const { ofSession } = await import("./_contracts-session.ts");
    return ofSession(context, given);
  },
};

export function findingsOf(findings: readonly Finding[]): Contracts["findings"] {
  return findings.map(({ pointer, text, expected, got, line }) => ({
    field: pointer || "/",
    message: render("en", text),
    expected: expected === undefined ? null : render("en", expected),
    got: got === undefined ? null : render("en", got),
    line: line ?? null,
  }));
}

export type Handed = (context: Context, given: Input) => Promise<Contracts>;

// --- internal ---

/** By its format alone. */
async function checked({ format, text }: Input): Promise<Contracts> {
  if (format === undefined || text === undefined)
    throw new Fault("invalid_input", msg("contracts.no_format"), {
      hint: msg("contracts.no_format.hint", { known: written.join(", ") }),
    });
  const { contractIn } = await import("../request/drafts.ts");
  const { unfilled } = await import("../../workflows/request/accept.ts");
  const read = await contractIn(format, `${format}.yaml`, text);
  const wrong = read.ok ? unfilled(read.value as object) : read.findings;
  return {
    unit: null,
    role: null,
    contracts: [],
    write: null,
    form: null,
    valid: wrong.length === 0,
    findings: findingsOf(wrong),
  };
}
