// What the sample agent plays for a task of each type: with a question, a dependency, a limit, a
// claim that is refused first, and something to do for a person's feedback.
export const prose = "A sentence about it that says something. ".repeat(30);

export interface Course {
  readonly script: string;
  readonly phases: number;
  /** Is each phase shown to a person? */
  readonly reviewed: boolean;
  /** All that must be there at the end. */
  readonly files: readonly string[];
}

const opening = `say hello
usage 1200 0.25
ask choice Which colour? | Red | Blue
write answer.txt {answer}
need api_key API_KEY
limit 1`;

const documents = (folder: string, names: readonly string[]): string[] =>
  names.map((name) => `${folder}/${name}.md`);

// oxfmt-ignore
const planning = documents("docs/planning", [
  "01_idea", "02_market", "03_users", "04_features", "05_flows", "06_screens", "07_data", "08_technology", "09_roadmap",
]);
// oxfmt-ignore
const design = documents("docs/design", ["01_screen", "02_data_model", "03_api", "04_components", "05_architecture"]);
const report = ["docs/testing/report.md"];

/** For holdfast.yaml: a type of the project's own, which asks nobody. */
export const ownType = `version: 1
task_types:
  notes:
    title: Notes
    phases:
      - name: Write
        prompt: Write the notes.
        deliverables: [{ path: notes.md, min_characters: 20 }]
        verify: [grep -q sentence notes.md]
        review: false
`;

export const courses: Readonly<Record<string, Course>> = {
  create_app: reviewed([planning, design, ["README.md"], report]),
  modify_app: reviewed([
    ["docs/analysis/current_state.md"],
    ["docs/planning/modification_plan.md"],
    ["src/changed.txt"],
    report,
  ]),
  workflow: reviewed([
    ["docs/planning/workflow_requirements.md"],
    ["docs/design/workflow_design.md"],
    ["README.md"],
    report,
  ]),
  custom: { ...alone("done written"), files: ["answer.txt", "notes.md"] },
  notes: { ...alone("phase 1 notes.md"), files: ["answer.txt", "notes.md"] },
};

// --- internal ---

function reviewed(phases: readonly (readonly string[])[]): Course {
  const [first = []] = phases;
  const spoilt = first.at(2) ?? first[0] ?? "";
  const parts = phases.map((files, place) =>
    [
      ...files.map((file) => `write ${file} ${prose}`),
      // A placeholder is no document.
      ...(place === 0 ? [`write ${spoilt} TODO: write this`] : []),
      `phase ${place + 1} ${files.join(" ")}`,
      "on feedback",
      ...(place === 0 ? [`write ${spoilt} ${prose}`] : [`write ${files[0]} ${prose} Reworked.`]),
      "end",
    ].join("\n"),
  );
  return {
    script: [opening, ...parts].join("\n"),
    phases: phases.length,
    reviewed: true,
    files: ["answer.txt", ...phases.flat()],
  };
}

/** Claimed without the sentence that is asked for, then with it. */
function alone(claim: string): Pick<Course, "script" | "phases" | "reviewed"> {
  const script = `${opening}
write notes.md ${claim === "done written" ? prose : "nothing that would do"}
${claim}
on feedback
write notes.md ${prose}
end`;
  return { script, phases: 1, reviewed: false };
}
