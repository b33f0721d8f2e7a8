// What people say reaches the agent, once, whoever dies meanwhile (S1.15, S1.16); of two who decide
// at the same time one does, and only on what was shown (S1.5).
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { full, type Workshop, workshop } from "../crash/programs.ts";
import { figure } from "../figures.ts";
import {
  bundled,
  inside,
  isOver,
  onStage,
  pidOf,
  powerCut,
  send,
  settings,
  soon,
  tagged,
} from "./stage.ts";

const stage = onStage({ policies: { reviewRemindersMs: [300, 600, 900], frozenMs: 3_600_000 } });
const look = (id: string) => inside(stage.open, id);

let shop: Workshop;
let hand: string;
beforeAll(async () => {
  shop = workshop();
  hand = await bundled("hand.ts", shop.folder);
});
afterAll(() => shop.close());

const asking =
  "ask choice Which colour? | Red | Blue\nwrite answer.txt {answer}\nsay got {answer}.\ndone x";

describe("an answer whose asker died (S1.16)", () => {
  test("S1.16 killed while it waits: the process that resumes it is told, once", async () => {
    const { id } = await stage.open.submit({ script: asking });
    await stage.open.until(id, ({ questions }) => questions.length > 0);
    const [first] = (await look(id)).processes;
    await soon(async () => (await look(id)).processes[0]?.status).toBe("running");
    send(pidOf(stage.world.home, first?.id ?? ""), "SIGKILL");
    await soon(async () => (await look(id)).processes[0]?.status).toBe("ended");
    expect((await look(id)).agent.status).toBe("waiting_question");
    await stage.open.tasks.answer(id, { answer: "blue" });
    await answeredOnce(id, "Blue", 2);
    expect((await look(id)).agent.data.crashes).toBe(0);
  });

  test("S1.16 answered with nobody serving and the agent gone: told when the server is back, once", async () => {
    const { id } = await stage.open.submit({ script: asking });
    await stage.open.until(id, ({ questions }) => questions.length > 0);
    await soon(async () => (await look(id)).processes[0]?.status).toBe("running");
    await stage.open.close();
    await powerCut(stage.world.home);
    const passing = await stage.world.open({ slots: 0 });
    const answered = await passing.tasks.answer(id, { answer: "Red" });
    expect(answered.questions).toEqual([]);
    await expect(passing.tasks.answer(id, { answer: "Blue" })).rejects.toMatchObject({
      code: "refused",
    });
    expect(tagged(stage.world.home)).toEqual([]);
    await passing.close();
    await stage.again();
    await answeredOnce(id, "Red", 2);
  });

  test("S1.16 a command begins again after its death and repeats its questions: none that was answered is asked again", async () => {
    const agent = join(stage.world.folder, "asker.sh");
    // Reads frames as docs/protocol.md has them; $text is the last line of the message.
    const lines = [
      `hear() { while read -r line; do case $line in '[/'*) return;; *) text=$line;; esac; done; }`,
      `ask() { printf '[USER_QUESTION]\\ncategory: clarification\\nquestion: %s\\nrequired: true\\n[/USER_QUESTION]\\n' "$1"; hear; }`,
      "hear",
      `ask 'Which colour?'; echo "$text" > answers.txt`,
      `ask 'Which size?'; echo "$text" >> answers.txt`,
      `ask 'Which colour?'; echo "$text" >> answers.txt`,
      "printf '=== CUSTOM TASK COMPLETE ===\\nSummary: x\\n\\n'",
      "hear",
    ];
    writeFileSync(agent, lines.join("\n"));
    const { id } = await stage.open.submit({ agent: `command:sh ${agent}` });
    const asked = async (question: string): Promise<void> => {
      const { questions } = await stage.open.until(id, (task) => task.questions.length > 0);
      const open = (await look(id)).entities.question.get(questions[0] ?? "");
      expect(open?.data.question).toBe(question);
      const current = (await look(id)).agent.data.process ?? "";
      await soon(async () => (await look(id)).entities.process.get(current)?.status).toBe(
        "running",
      );
      send(pidOf(stage.world.home, current), "SIGKILL");
      await soon(async () => (await look(id)).entities.process.get(current)?.status).toBe("ended");
    };
    await asked("Which colour?");
    await stage.open.tasks.answer(id, { answer: "Red" });
    await asked("Which size?");
    await stage.open.tasks.answer(id, { answer: "Large" });
    // Asked by none before: the third is a question of its own, though the words are the first's.
    await asked("Which colour?");
    await stage.open.tasks.answer(id, { answer: "Blue" });
    const task = await stage.open.until(id, isOver);
    expect(task.status).toBe("completed");
    expect(readFileSync(join(task.workspace ?? "", "answers.txt"), "utf8")).toBe(
      "Red\nLarge\nBlue\n",
    );
    expect((await look(id)).entities.question.size).toBe(3);
  });

  test("S1.15 the asker dies before, with or right behind the answer: it is acted on once", async () => {
    const rounds = full ? 60 : 9;
    const script = `repeat ${rounds}\nask choice Go on? | yes | no\nsay round {i} {answer}.\nend\ndone x`;
    const { id } = await stage.open.submit({ script });
    let killed = 0;
    for (let round = 1; round <= rounds; round++) {
      const { questions } = await stage.open.until(id, (task) => task.questions.length > 0);
      const current = (await look(id)).agent.data.process ?? "";
      const cut = async (): Promise<void> =>
        void (killed += await powerCut(stage.world.home, current));
      if (round % 3 === 0) await cut();
      const answer = stage.open.tasks.answer(id, { questionId: questions[0], answer: "yes" });
      if (round % 3 === 1) await cut();
      await answer;
      if (round % 3 === 2) await cut();
    }
    const task = await stage.open.until(id, isOver);
    const text = await output(id);
    const said = [...text.matchAll(/^round (\d+) yes\.$/gm)].map(([, round]) => Number(round));
    figure("answers around a death", {
      seen: rounds,
      lost: rounds - new Set(said).size,
      more: `${killed} processes killed`,
    });
    expect(said).toEqual(Array.from({ length: rounds }, (_, place) => place + 1));
    expect(task).toMatchObject({ status: "completed", failure: null });
    expect((await look(id)).agent.data.crashes).toBe(0);
  });
});

describe("two people, one review (S1.5)", () => {
  const reviewed = `task_types:
  two:
    phases: [{ name: One, prompt: Do it, deliverables: [{ path: a.txt }] }, { name: Two, prompt: More }]`;

  test("S1.5 two approvals at once from two processes: one counts, the other is refused", async () => {
    settings(stage.world, reviewed);
    const rounds = full ? 20 : 3;
    const script = "write a.txt x\nphase 1\nwait";
    const wrong: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const { id } = await stage.open.submit({ type: "two", script });
      const { reviews } = await stage.open.until(id, (task) => task.reviews.length > 0);
      // With a server and without: then the two compete for the task itself.
      if (round % 2 === 1) await stage.open.close();
      const hands = [1, 2].map(() =>
        shop.start([process.execPath, hand, stage.world.home], stage.world.env),
      );
      await Promise.all(hands.map((each) => each.said("ready")));
      for (const [place, each] of hands.entries())
        each.tell(
          JSON.stringify({
            do: "approve",
            id,
            key: `r${round}-${place}`,
            given: { reviewId: reviews[0] },
          }),
        );
      for (const each of hands) {
        each.tell("end");
        await each.ended;
      }
      const answers = hands.map(
        ({ lines }) => lines.find((line) => line.startsWith(`r${round}-`))?.split(" ")[1],
      );
      if (!["ok,refused", "refused,ok"].includes(answers.join()))
        wrong.push(`${round}: ${answers.join()}`);
      if (round % 2 === 1) await stage.again();
      const { task } = await look(id);
      if (task.data.document?.phase !== 2)
        wrong.push(`${round}: phase ${task.data.document?.phase}`);
      // Its agent waits for ever, in a slot that the next round needs.
      await stage.open.tasks.act(id, { name: "cancel" });
    }
    figure("approvals at once", { seen: rounds * 2, lost: wrong.length });
    expect(wrong).toEqual([]);
  });

  test("S1.5 what changed since it was shown is not approved; as it was shown, it is", async () => {
    settings(stage.world, reviewed);
    const { id } = await stage.open.submit({ type: "two", script: "write a.txt x\nphase 1\nwait" });
    const { workspace } = await stage.open.until(id, (task) => task.reviews.length > 0);
    const other = join(workspace ?? "", "other.txt");
    writeFileSync(other, "written meanwhile");
    await expect(stage.open.tasks.approve(id, {})).rejects.toMatchObject({ code: "refused" });
    rmSync(other);
    writeFileSync(join(workspace ?? "", "a.txt"), "something else");
    await expect(stage.open.tasks.approve(id, {})).rejects.toMatchObject({ code: "refused" });
    expect((await stage.open.tasks.show(id)).reviews).toHaveLength(1);
    writeFileSync(join(workspace ?? "", "a.txt"), "x");
    await stage.open.tasks.approve(id, {});
    expect((await stage.open.tasks.show(id)).currentPhase).toBe(2);
  });

  test("S1.5 the refusal names what changed; changes requested lead to a review that shows it", async () => {
    settings(stage.world, reviewed);
    const script = "write a.txt x\nphase 1\nwait\nphase 1\nwait";
    const { id } = await stage.open.submit({ type: "two", script });
    const first = await stage.open.until(id, (task) => task.reviews.length > 0);
    writeFileSync(join(first.workspace ?? "", "other.txt"), "by a person");
    await expect(stage.open.tasks.approve(id, {})).rejects.toThrow(
      /changed since the review was opened: other\.txt\. .*holdfast task request-changes task_/,
    );
    await stage.open.tasks.requestChanges(id, { feedback: "Keep other.txt." });
    const isNext = ({ reviews }: { reviews: readonly string[] }): boolean =>
      reviews.length > 0 && reviews[0] !== first.reviews[0];
    await stage.open.until(id, isNext);
    await stage.open.tasks.approve(id, {});
    expect((await stage.open.tasks.show(id)).currentPhase).toBe(2);
  });

  test("S1.5 a review is reminded of three times, each once, whatever restarts come between", async () => {
    settings(stage.world, reviewed);
    const { id } = await stage.open.submit({ type: "two", script: "write a.txt x\nphase 1\nwait" });
    await stage.open.until(id, (task) => task.reviews.length > 0);
    const reminded = (): number =>
      stage.world.notices.filter((what) => what === "review_reminder").length;
    for (const times of [1, 2, 3]) {
      // Two may be due by the time the next server is there.
      await soon(reminded).toBeGreaterThanOrEqual(times);
      await stage.again();
    }
    const timers = await stage.open.store.timersNamed("review");
    expect(timers).toEqual([]);
    expect(reminded()).toBe(3);
  });
});

// --- internal ---

async function answeredOnce(id: string, answer: string, processes: number): Promise<void> {
  const task = await stage.open.until(id, isOver);
  expect(task).toMatchObject({ status: "completed", failure: null });
  expect(readFileSync(join(task.workspace ?? "", "answer.txt"), "utf8")).toBe(answer);
  const after = await look(id);
  expect(after.processes).toHaveLength(processes);
  expect((await output(id)).split(`got ${answer}.`).length - 1).toBe(1);
  const told = after.processes.map((each) => {
    const path = join(stage.world.home, "runs", each.id, "in");
    return existsSync(path) ? readFileSync(path, "utf8").split("[ANSWER").length - 1 : 0;
  });
  expect(told).toEqual([0, 1]);
}

async function output(id: string): Promise<string> {
  let text = "";
  for await (const piece of stage.open.outputs.all(id)) text += piece;
  return text;
}
