import { describe, expect, test } from "vitest";
import { planCourse } from "./course.ts";
import { type Op, fill } from "./language.ts";
import { readPrompt } from "./prompt.ts";
import { readScript } from "./script.ts";
import { type Session, newSession } from "./session.ts";

const english = `# A shop for used books

Sell books that were read once. === PHASE 9 COMPLETE === is what a person wrote.

## Phase 1 of 4: Planning

Deliverables:
- docs/planning/01_idea.md (at least 3000 characters)
- docs/planning/02_market-research.md
- data/shop.json

When everything of this phase is there, print exactly this block:

    === PHASE 1 COMPLETE ===
    Completed: Phase 1 (Planning)
    Files created:
    - <path>`;

const korean = `# 중고 책 가게

## 4단계 중 2단계: 설계

산출물:
- docs/design/01_화면.md (1500자 이상)

    === PHASE 2 COMPLETE ===`;

function planned(prompt: string, before: Partial<Session> = {}): { session: Session; ops: Op[] } {
  const session = { ...newSession("en", null), ...before, prompt };
  planCourse(session, 20);
  const script = readScript(session.plan ?? "");
  return { session, ops: script.ok ? [...script.ops] : [] };
}

const known = (name: string): string => `<${name}>`;

/** What is written, each file for the first time and after feedback. */
function files(ops: readonly Op[]): { path: string; text: string }[] {
  return ops.flatMap((op) =>
    op.do === "write" ? [{ path: fill(op.path, known), text: fill(op.text, known) }] : [],
  );
}

const texts = (prompt: string): Record<string, string> =>
  Object.fromEntries(
    files(planned(prompt).ops)
      .toReversed()
      .map(({ path, text }) => [path, text]),
  );

const said = (prompt: string, language: "en" | "ko"): string =>
  JSON.stringify(planned(prompt, { language }).ops);

const listing = (...lines: string[]): string => `Title\n\nDeliverables:\n${lines.join("\n")}\n`;

describe("S1.17 what is read from a prompt", () => {
  test("the title, the phase, the deliverables and how long they have to be", () => {
    expect(readPrompt(english)).toEqual({
      subject: "A shop for used books",
      phase: 1,
      custom: false,
      deliverables: [
        { path: "docs/planning/01_idea.md", atLeast: 3000 },
        { path: "docs/planning/02_market-research.md", atLeast: 0 },
        { path: "data/shop.json", atLeast: 0 },
      ],
    });
    expect(readPrompt(korean)).toMatchObject({
      subject: "중고 책 가게",
      phase: 2,
      deliverables: [{ path: "docs/design/01_화면.md", atLeast: 1500 }],
    });
    expect(readPrompt("Tidy up\n\n    === CUSTOM TASK COMPLETE ===")).toMatchObject({
      phase: null,
      custom: true,
    });
    expect(readPrompt("")).toMatchObject({ subject: "", phase: null, deliverables: [] });
  });

  test("paths in backticks, with blanks, with a remark, of a folder; none that leads outside", () => {
    const found = readPrompt(
      listing(
        "- `a b.md`: first",
        "* c d.md — 1,200 signs",
        "- docs/",
        "- ../x",
        "- /etc/x",
        "- *.md",
        "",
        "- late.md",
      ),
    ).deliverables;
    expect(found).toEqual([
      { path: "a b.md", atLeast: 0 },
      { path: "c d.md", atLeast: 1200 },
      { path: "docs/README.md", atLeast: 0 },
    ]);
  });
});

describe("S6.5 the default course", () => {
  test("asks one question in the first phase, writes everything, and claims it", () => {
    const { ops } = planned(english);
    const steps = ops.map((op) => op.do).filter((name) => name !== "sleep" && name !== "usage");
    const all = "say write say write say write";
    expect(steps.join(" ")).toBe(
      `say ask await answer say ${all} say phase await work heard ${all} goto`,
    );
    const wanted = readPrompt(english).deliverables.map(({ path }) => path);
    expect(ops.find((op) => op.do === "phase")).toMatchObject({ number: 1, files: wanted });
    expect(ops.find((op) => op.do === "ask")).toMatchObject({ category: "choice" });
  });

  test("asks nothing later, counts phases nobody numbered, and claims a custom task as such", () => {
    const later = planned(korean, { answer: "작은 팀" });
    expect(later.ops.some((op) => op.do === "ask")).toBe(false);
    expect(files(later.ops)[0]?.text).toContain("<answer>");
    expect(files(planned(korean, { language: "ko" }).ops)[0]?.text).not.toContain("answer");
    const plain = planned("Just do it", { phase: 2 });
    expect(plain.session.phase).toBe(3);
    expect(files(plain.ops)[0]?.path).toBe("docs/phase-3-report.md");
    const custom = planned("- [ ] T1.2: 화면\n\n    === CUSTOM TASK COMPLETE ===").ops;
    expect(files(custom)[0]?.path).toBe("docs/t1-2-화면.md");
    expect(custom.some((op) => op.do === "done")).toBe(true);
    expect(custom.some((op) => op.do === "ask" || op.do === "phase")).toBe(false);
  });

  test("S6.5b speaks and writes the task's language, whatever words a person wrote into the prompt", () => {
    const mixed = said(english.replace("A shop", "가게: a shop"), "en");
    expect([...new Set(mixed.match(/[가-힣]+/g))]).toEqual(["가게"]);
    const ops = said(english, "ko");
    expect(ops).toContain("“A shop for used books”의 첫 사용자는 누구인가요?");
    expect(ops).toContain("아이디어 쓰는 중: 3개 중 1번째");
    expect(ops).toContain("# 아이디어");
    expect(ops).toContain("docs/planning/01_idea.md");
    expect(said(listing("- a.js", "- b.py"), "ko").match(/What this part/g)).toBeNull();
  });

  test("documents are whole, as long as asked for, differ, and hold no placeholder", () => {
    for (const [prompt, language] of [
      [english, "en"],
      [korean, "ko"],
    ] as const) {
      const all = files(planned(prompt, { language }).ops);
      expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
      for (const { path, text } of all) {
        const wanted = readPrompt(prompt).deliverables.find((each) => each.path === path);
        expect(text.length).toBeGreaterThan(Math.max(wanted?.atLeast ?? 0, 400));
        expect(text).not.toMatch(/todo|tbd|fixme|lorem|ipsum|placeholder|xxx|\.\.\.|<path>/i);
      }
      const documents = all.filter(({ path }) => path.endsWith(".md"));
      for (const { text } of documents) expect(text.match(/^#+ .+$/gm)?.length).toBeGreaterThan(4);
    }
    const written = files(planned(english).ops);
    expect(written.slice(3).map(({ text }) => text.includes("<feedback>"))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("a deliverable that a machine reads is what its name says", async () => {
    const made = texts(listing("- a.json", "- b.yaml", "- c.html", "- d.js", "- e.txt", "- f.py"));
    expect(JSON.parse(made["a.json"] ?? "")).toMatchObject({ title: "A", subject: "Title" });
    expect(made["b.yaml"]).toMatch(/^title: "B"\nsubject: "Title"\n/);
    expect(made["c.html"]).toMatch(/^<!doctype html>\n.*<h1>C<\/h1>.*<\/html>\n$/s);
    const code = `data:text/javascript,${encodeURIComponent(made["d.js"] ?? "")}`;
    const part = (await import(/* @vite-ignore */ code)) as { describe: () => string };
    expect(part.describe()).toContain("D: This document belongs to “Title”.");
    expect(made["e.txt"]).not.toContain("#");
    expect(made["f.py"]).toContain("def describe():");
  });

  test("S1.13 a title made of signs of the language is only a title", () => {
    const title = "# {answer} | \\n {i} === PHASE 1 COMPLETE === `x` \u0001";
    const { ops } = planned(`${title}\n\n${english}`);
    expect(ops.filter((op) => op.do === "write")).toHaveLength(6);
    const ask = ops.find((op) => op.do === "ask");
    expect(ask?.do === "ask" && ask.options).toHaveLength(3);
    expect(ask?.do === "ask" && fill(ask.question, () => "FILLED")).toContain(
      "“{answer} | \\n {i} === PHASE 1 COMPLETE === `x`",
    );
  });
});
