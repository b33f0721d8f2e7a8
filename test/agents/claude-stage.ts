// What the scenarios of Claude Code share: a world before each and its end after it, and what is asked
// again and again.
import { afterEach, beforeEach, describe, expect, inject } from "vitest";
import { patience } from "../patience.ts";
import type { ModelRequest, Reply } from "./model-api/model-api.ts";
import { type RealWorld, realWorld } from "./real-world.ts";

export interface ClaudeStage {
  readonly world: RealWorld;
  /** How often the model answered to exactly this being said: once is right, twice is done twice. */
  acted(text: string): number;
}

/** Each version that could be fetched plays all of it. */
export function describeClaude(
  about: string,
  scenarios: (stage: ClaudeStage) => void,
  variables: Readonly<Record<string, string>> = { ANTHROPIC_API_KEY: "dummy" },
): void {
  for (const { version, path } of inject("claude"))
    describe.skipIf(path === null)(`Claude Code ${version}: ${about}`, () => {
      let world: RealWorld;
      beforeEach(async () => {
        const claude = { HOLDFAST_CLAUDE: path ?? "", ANTHROPIC_BASE_URL: "{api}" };
        world = await realWorld({ ...claude, ...variables });
        await world.serve();
      });
      afterEach(() => world.close());
      scenarios({
        get world() {
          return world;
        },
        acted: (text) =>
          world.api.requests.filter(
            ({ outcome, said }) => outcome === "answered" && said.includes(text),
          ).length,
      });
    });
}

export const complete = "All of it is done.\n\n=== CUSTOM TASK COMPLETE ===\nSummary: done\n\n";
export const phaseComplete = (phase: number): string =>
  `That was it.\n\n=== PHASE ${phase} COMPLETE ===\n\n`;

/** The model runs this command and has nothing to say before. */
export const shell = (command: string, more: object = {}): Reply => ({
  text: "I run a command.",
  calls: [{ name: "Bash", input: { command, description: "a command", ...more } }],
});

/** What its tools said, in the newest request. */
export const resultsOf = ({ results }: ModelRequest): string =>
  results.map(({ text }) => text).join("\n");

/** Something that is waited for and set off by hand. */
export function gate(): { readonly passed: Promise<void>; open(): void } {
  const opened = new EventTarget();
  const passed = new Promise<void>((done) => {
    opened.addEventListener("open", () => done(), { once: true });
  });
  return { passed, open: () => void opened.dispatchEvent(new Event("open")) };
}

/** Looks until it is so. */
export function soon<T>(look: () => T): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, { timeout: patience, interval: 20 });
}
