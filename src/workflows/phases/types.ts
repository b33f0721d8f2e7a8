// The task types that come with Holdfast (S1.17), as data. A project adds its own in holdfast.yaml.
import { type Language, type Message, type MessageKey, msg, render } from "../../core/messages.ts";
import type { ProjectSettings } from "../../formats/project-settings.ts";
import type { PhaseDefinition, TaskType } from "./phases.ts";
import { criteria, instructions } from "./_type-texts.ts";

export const builtInPhaseTypes = ["create_app", "modify_app", "workflow", "custom"] as const;
export type BuiltInPhaseType = (typeof builtInPhaseTypes)[number];

/** The type of this name, in this language; undefined if neither Holdfast nor the project has it. */
export function taskTypeOf(
  name: string,
  settings: ProjectSettings | undefined,
  language: Language,
): TaskType | undefined {
  if (isBuiltIn(name)) return filled(name, shapes[name], language, settings);
  const own = Object.hasOwn(settings?.task_types ?? {}, name)
    ? settings?.task_types?.[name]
    : undefined;
  return own && ownType(name, own, settings);
}

/** All names, in the order in which a person is shown them. */
export function taskTypeNames(settings: ProjectSettings | undefined): readonly string[] {
  return [...builtInPhaseTypes, ...Object.keys(settings?.task_types ?? {})];
}

/** For its reader, whose language need not be the task's: a project's own title is as it was given. */
export function titleOf({ name, title }: Pick<TaskType, "name" | "title">): Message {
  return isBuiltIn(name) ? msg(`type.${name}.title`) : msg("type.own", { name: title });
}

/** The same for one of its phases. */
export function phaseNameOf({ name, phases }: TaskType, phase: PhaseDefinition): Message {
  return isBuiltIn(name)
    ? builtInName(name, phases.indexOf(phase) + 1)
    : msg("type.own", { name: phase.name });
}

// --- internal ---

function isBuiltIn(name: string): name is BuiltInPhaseType {
  return (builtInPhaseTypes as readonly string[]).includes(name);
}

function builtInName(name: BuiltInPhaseType, phase: number): Message {
  return { key: `type.${name}.${phase}` as MessageKey, params: {} };
}

/** A document of a plan is prose: fewer characters than this is a heading, not a document. */
const shortestDocument = 500;

const planning = [
  "01_idea",
  "02_market",
  "03_users",
  "04_features",
  "05_flows",
  "06_screens",
  "07_data",
  "08_technology",
  "09_roadmap",
].map((name) => `docs/planning/${name}.md`);

const design = ["01_screen", "02_data_model", "03_api", "04_components", "05_architecture"].map(
  (name) => `docs/design/${name}.md`,
);

interface Shape {
  readonly startsEmpty: boolean;
  /** For each phase its files and their least length. */
  readonly phases: readonly { readonly files: readonly string[]; readonly least: number }[];
  readonly review: boolean;
}

const none = { files: [], least: 1 };

const shapes: Readonly<Record<BuiltInPhaseType, Shape>> = {
  create_app: {
    startsEmpty: true,
    phases: [
      { files: planning, least: shortestDocument },
      { files: design, least: shortestDocument },
      { files: ["README.md"], least: 1 },
      { files: ["docs/testing/report.md"], least: shortestDocument },
    ],
    review: true,
  },
  modify_app: {
    startsEmpty: false,
    phases: [
      { files: ["docs/analysis/current_state.md"], least: 1_000 },
      { files: ["docs/planning/modification_plan.md"], least: 800 },
      none,
      { files: ["docs/testing/report.md"], least: shortestDocument },
    ],
    review: true,
  },
  workflow: {
    startsEmpty: true,
    phases: [
      { files: ["docs/planning/workflow_requirements.md"], least: 800 },
      { files: ["docs/design/workflow_design.md"], least: 1_000 },
      { files: ["README.md"], least: 1 },
      { files: ["docs/testing/report.md"], least: shortestDocument },
    ],
    review: true,
  },
  custom: { startsEmpty: true, phases: [none], review: false },
};

/** Where nothing is said: an agent works on files unasked, and asks for everything else. */
const usualPermissions = "edits";

function filled(
  name: BuiltInPhaseType,
  shape: Shape,
  language: Language,
  settings: ProjectSettings | undefined,
): TaskType {
  const phases = shape.phases.map(({ files, least }, place): PhaseDefinition => ({
    name: render(language, builtInName(name, place + 1)),
    instructions: instructions[language][name][place] ?? "",
    deliverables: files.map((path) => ({ path, minCharacters: least })),
    verify: [],
    verifier: shape.review ? verifierOf(settings, language) : null,
    review: shape.review,
  }));
  const permissions = settings?.permissions ?? usualPermissions;
  const title = render(language, msg(`type.${name}.title`));
  return { name, title, startsEmpty: shape.startsEmpty, permissions, phases };
}

/** A verifier judges what a person is to review (S1.14), so that they see no claim that does not hold. */
function verifierOf(
  settings: ProjectSettings | undefined,
  language: Language,
): PhaseDefinition["verifier"] {
  const { enabled = true, agent = null } = settings?.verifier ?? {};
  return enabled ? { prompt: criteria[language], agent } : null;
}

type OwnType = NonNullable<ProjectSettings["task_types"]>[string];

function ownType(name: string, own: OwnType, settings: ProjectSettings | undefined): TaskType {
  return {
    name,
    title: own.title ?? name,
    startsEmpty: false,
    permissions: own.permissions ?? settings?.permissions ?? usualPermissions,
    phases: own.phases.map((phase) => ({
      name: phase.name,
      instructions: phase.prompt,
      deliverables: (phase.deliverables ?? []).map(({ path, min_characters: least }) => ({
        path,
        minCharacters: least ?? 1,
      })),
      verify: phase.verify ?? [],
      verifier:
        phase.verifier === undefined
          ? null
          : { prompt: phase.verifier, agent: phase.verifier_agent ?? null },
      review: phase.review ?? true,
    })),
  };
}
