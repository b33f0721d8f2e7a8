// `npm start` as a newcomer runs it: its own copy of the sample project, a server, work under way.
import { afterEach, beforeEach, expect, test } from "vitest";
import { limit } from "../crash/programs.ts";
import { type Demo, demoFolder, demoOf, demoPlace, endDemo, startDemo } from "./demo.ts";
import type { Running } from "./program.ts";

let folder: ReturnType<typeof demoFolder>;
let running: Running | undefined;
beforeEach(() => {
  folder = demoFolder();
});
afterEach(() => folder.end(running));

test(
  "S7.1 npm start shows a task under review and one with a question; it ends in good order, and goes on",
  limit,
  async () => {
    const place = demoPlace(folder.folder, "ko");
    const begin = (): Promise<Demo> => {
      running = startDemo(folder.folder, "ko_KR.UTF-8");
      return demoOf(running, place);
    };
    const demo = await begin();
    const stands = async (): Promise<string[]> =>
      (await demo.tasks()).map(({ title, status, questions }) =>
        [title, status, questions.length].join(" "),
      );
    await expect
      .poll(async () => (await stands()).toSorted(), { interval: 100 })
      .toEqual(["동네 도서관 예약 in_progress 1", "할 일 목록 앱 review 0"]);
    demo.running.child.kill("SIGINT");
    // The terminal's Ctrl-C reaches both; here only we do.
    process.kill(demo.server.pid, "SIGINT");
    expect(await demo.running.ended).toMatchObject({ code: 0 });

    const again = await begin();
    expect(await again.tasks()).toHaveLength(2);
    expect(await endDemo(again, place)).toMatchObject({ code: 0 });
  },
);

test(
  "S7.4 --lang decides over the locale, and each language has a demo of its own",
  limit,
  async () => {
    for (const [language, title] of [
      ["en", "Library bookings"],
      ["ko", "동네 도서관 예약"],
    ] as const) {
      const place = demoPlace(folder.folder, language);
      const locale = language === "en" ? "ko_KR.UTF-8" : "en_US.UTF-8";
      running = startDemo(folder.folder, locale, ["--lang", language]);
      const demo = await demoOf(running, place);
      expect((await demo.tasks()).map((task) => task.title)).toContain(title);
      await expect
        .poll(async () => (await demo.tasks()).map(({ questions }) => questions.length))
        .toContain(1);
      const { out } = await endDemo(demo, place);
      expect(out.startsWith(language === "en" ? "Holdfast is running" : "Holdfast 실행 중")).toBe(
        true,
      );
    }
  },
);
