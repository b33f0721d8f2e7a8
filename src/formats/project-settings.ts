// `holdfast.yaml`: a project's settings and its own task types (S7.5, S1.17). Strict: a misspelt
// setting that is silently ignored is worse than an error.
import { z } from "zod";
import { msg } from "../core/messages.ts";
import { orchestrateModes, strategies } from "../core/vocabulary.ts";
import { type Finding, type Format, error, pointerTo, yamlLimit } from "./format.ts";
import { command, filled, text } from "./shapes.ts";

export const permissionPolicies = ["read-only", "edits", "everything"] as const;
export const deadlinePolicies = ["park", "default", "escalate"] as const;
export const hookPolicies = ["skip", "run"] as const;
export const failedPhasePolicies = ["ask", "fix", "skip", "merge"] as const;

/** Names of the task types that come with Holdfast: a project may not take them. */
export const builtInTypes = [
  "create_app",
  "modify_app",
  "workflow",
  "custom",
  "develop",
  "orchestrate",
  "plan",
  "request",
] as const;

const positive = () => z.number().gt(0);

const budget = () =>
  z.strictObject({
    cost_usd: positive().optional(),
    tokens: z.int().min(1).optional(),
    minutes: positive().optional(),
  });

const phase = () =>
  z.strictObject({
    name: filled(),
    prompt: filled().describe(
      "The prompt itself, or a path to a file in the project that holds it.",
    ),
    deliverables: z
      .array(
        z.strictObject({
          path: text("relativePath"),
          min_characters: z.int().min(1).optional(),
        }),
      )
      .optional(),
    verify: z.array(command()).optional().describe("Commands that must pass in the workspace."),
    verifier: filled().optional().describe("What a verifier agent has to judge."),
    verifier_agent: filled()
      .optional()
      .describe("The agent that judges. Default: the one that works on the task."),
    review: z.boolean().optional().describe("Does a person approve this phase? Default: true."),
  });

const taskType = () =>
  z.strictObject({
    title: filled().optional(),
    agent: filled().optional(),
    permissions: z.enum(permissionPolicies).optional(),
    phases: z.array(phase()).min(1),
  });

const verifier = () =>
  z
    .strictObject({
      enabled: z.boolean().optional().describe("Default: true."),
      agent: filled()
        .optional()
        .describe("The agent that judges. Default: the one that works on the task."),
    })
    .describe(
      "The agent that judges each phase of create_app, modify_app and workflow before a person reviews it. A project's own types name theirs in each phase.",
    );

const checks = () => z.strictObject({ test: command().optional(), build: command().optional() });

const retention = () =>
  z
    .strictObject({ days: z.int().min(1).optional(), gigabytes: positive().optional() })
    .describe(
      "How long, and how much, is kept of ended tasks: 30 days and 20 GB where it is not said. Told a day before it goes.",
    );

const disk = () =>
  z
    .strictObject({ floor_megabytes: z.int().min(0).optional() })
    .describe("Below so much free space nothing new starts and agents stand still; 0: never.");

const frozen = () =>
  z
    .strictObject({ most: z.int().min(0).optional(), end_after_minutes: positive().optional() })
    .describe("How many agents stay frozen in memory, and for how long.");

const orchestrate = () =>
  z.strictObject({
    tasks: text("relativePath").optional(),
    mode: z.enum(orchestrateModes).optional(),
    failed_phase: z.enum(failedPhasePolicies).optional(),
    trees: z
      .enum(["clones", "shared"])
      .optional()
      .describe("Where tasks of a session are worked on: a clone each, or the project's folder."),
  });

const watchdogs = () =>
  z
    .strictObject({ silence_minutes: positive().optional(), work_minutes: positive().optional() })
    .describe(
      "After how long a person is asked about an agent that says nothing, or works without a pause.",
    );

const ownGit = () =>
  z
    .strictObject({
      hooks: z
        .enum(hookPolicies)
        .optional()
        .describe("Are your own git hooks run for what lands on your branch? Default: skip."),
      sign: z
        .boolean()
        .optional()
        .describe("Are the commits of a run signed with your own key? Default: false."),
    })
    .describe("What of your own git is run for the commits of a run.");

export const schema = () =>
  z.strictObject({
    version: z.literal(1),
    language: z.enum(["en", "ko"]).optional(),
    setup: command().optional().describe("Run once in each new workspace."),
    commands: checks().optional(),
    agent: filled().optional().describe("The agent used where a task names none."),
    slots: z.int().min(1).max(1000).optional().describe("How many agents work at once."),
    permissions: z.enum(permissionPolicies).optional(),
    verifier: verifier().optional(),
    strict_markers: z
      .boolean()
      .optional()
      .describe("A marker counts only with the token that its agent's process was given."),
    budgets: z.strictObject({ task: budget().optional(), day: budget().optional() }).optional(),
    retention: retention().optional(),
    snapshots: z
      .strictObject({ every_minutes: positive().optional() })
      .optional()
      .describe("How often the work of a running agent is saved: every 10 minutes by default."),
    disk: disk().optional(),
    questions: z
      .strictObject({
        deadline_hours: positive().optional(),
        on_deadline: z.enum(deadlinePolicies).optional(),
      })
      .optional(),
    frozen: frozen().optional(),
    memory: z
      .strictObject({ cache_days: positive().optional() })
      .optional()
      .describe(
        "How long an agent's memory keeps a cache entry that is not written again: 30 days by default.",
      ),
    watchdogs: watchdogs().optional(),
    notify: z
      .strictObject({
        webhooks: z.array(text("variableName")).max(20).optional(),
        slack: text("variableName").optional(),
      })
      .optional()
      .describe("Names of environment variables that hold the addresses: an address is a secret."),
    develop: z
      .strictObject({
        checkpoints: text("relativePath").optional(),
        strategy: z.enum(strategies).optional(),
      })
      .optional(),
    orchestrate: orchestrate().optional(),
    git: ownGit().optional(),
    task_types: z.record(text("typeName"), taskType()).optional(),
  });

export type ProjectSettings = z.infer<ReturnType<typeof schema>>;

export const projectSettings: Format<ProjectSettings> = {
  name: "project-settings",
  title: msg("format.title.project-settings"),
  syntax: "yaml",
  path: "holdfast.yaml",
  open: false,
  version: 1,
  maxBytes: yamlLimit,
  // Only names belong there; an address that was pasted instead is not repeated in a complaint.
  secrets: ["/notify/webhooks", "/notify/slack"],
  rules: ({ task_types: types = {} }) => Object.keys(types).flatMap(nameIsFree),
};

// --- internal ---

function nameIsFree(name: string): Finding[] {
  const taken = (builtInTypes as readonly string[]).includes(name);
  return taken
    ? [error(pointerTo("task_types", name), msg("format.rule.type_taken", { name }))]
    : [];
}
