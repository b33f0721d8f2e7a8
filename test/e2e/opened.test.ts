// How a person comes to the page: by what `serve --open` gives to the browser, and by an address nobody knows.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeOpener } from "../../src/app/server-file.ts";
import { type PageWorld, pageWorld, program, visit } from "./world.ts";

describe.skipIf(program === undefined)("S6.2 coming to the page", () => {
  let world: PageWorld;
  beforeAll(async () => {
    world = await pageWorld();
    await world.serve();
  });
  afterAll(() => world.endAll());

  test("S6.6 the file that --open writes leads to the page, signed in, and no token stays in the address", async () => {
    const { url, token } = world.server;
    const file = await writeOpener(world.home, `${url}/#token=${token}`);
    const { page, wrong, context } = await visit(world.browser, file, {});
    await page.getByRole("navigation").first().waitFor();
    expect(page.url()).toBe(`${url}/`);
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: "Strict" }]);
    expect(wrong).toEqual([]);
    await context.close();
  });

  test.each([
    ["en-US", "There is nothing at this address.", "Go to the inbox"],
    ["ko-KR", "이 주소에는 아무것도 없습니다.", "인박스로 이동"],
  ])(
    "S6.2 an unknown address shows the page's own screen with a way back (%s)",
    async (locale, text, back) => {
      const { page, wrong, context } = await world.visit("/", { locale });
      for (const path of ["/graph", "/t/x/output/more", "/api-of-nobody"]) {
        const answer = await page.goto(world.server.url + path);
        expect(answer?.status()).toBe(404);
        await page.getByText(text).waitFor();
      }
      await page.getByRole("link", { name: back }).click();
      await page.waitForURL(`${world.server.url}/`);
      expect(await page.getByText(text).count()).toBe(0);
      // The browser itself says that the document was a 404.
      expect(wrong.filter((line) => !line.includes("404"))).toEqual([]);
      await context.close();
    },
  );
});
