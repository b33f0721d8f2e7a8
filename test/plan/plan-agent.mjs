// An agent for tests of a plan: who it is, it reads in its prompt. A step writes one file; the others
// answer in the file that they are told.
import { converse } from "../orchestrate/conversation.mjs";

const step = (id, name, dependencies) => ({
  id,
  name,
  agent: `${name}-writer`,
  dependencies,
  files: [`${name}.txt`],
});

const answers = {
  plan: {
    success_criteria: ["there is a model", "there are pages"],
    steps: [
      step(1, "model", []),
      step(2, "pages", []),
      { ...step(3, "site", [1, 2]), check: "test -f model.txt -a -f pages.txt" },
    ],
  },
  verdict: {
    criteria: [
      { criterion: 1, met: true, evidence: "model.txt" },
      { criterion: 2, met: true, evidence: "pages.txt" },
    ],
  },
  lessons: { summary: "The site is there.", lessons: ["pages first"] },
};

converse(
  (prompt) =>
    /^## \d+ · (\S+)/m.exec(prompt)?.[1] ??
    /\.holdfast\/(plan|verdict|lessons)\.json/.exec(prompt)?.[1],
  (unit) => ({
    write: answers[unit]
      ? { [`.holdfast/${unit}.json`]: JSON.stringify(answers[unit]) }
      : { [`${unit}.txt`]: `${unit}\n` },
  }),
);
