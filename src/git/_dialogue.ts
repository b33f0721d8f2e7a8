// A git that is spoken with: it is told something, and answers with a line.
import { type GitOptions, startGit } from "./git.ts";

export interface Dialogue {
  /** True: it answered with that line. A text: what it said instead, and it is over. */
  say(input: string, answer: string): Promise<true | string>;
  /** Lets it end. True: somebody killed it. */
  end(): Promise<boolean>;
}

export function startDialogue(args: readonly string[], options: GitOptions): Dialogue {
  const child = startGit(args, options);
  let [said, wrong, signal] = ["", "", null as string | null];
  let wake: (() => void) | undefined;
  let over = false;
  child.stdin?.on("error", () => undefined);
  child.stdout?.on("data", (part: Buffer) => {
    said += part.toString("utf8");
    wake?.();
  });
  child.stderr?.on("data", (part: Buffer) => (wrong += part.toString("utf8")));
  const closed = new Promise<void>((done) => {
    const finish = (by: string | null): void => {
      [over, signal] = [true, by];
      wake?.();
      done();
    };
    child.once("error", (cause) => {
      wrong += String(cause);
      finish(null);
    });
    child.once("close", (_, by) => finish(by));
  });
  return {
    say: async (input, answer) => {
      if (!over) child.stdin?.write(input);
      while (!said.split("\n").includes(answer)) {
        if (over) return wrong.trim() || "git ended";
        await new Promise<void>((turn) => (wake = turn));
      }
      return true;
    },
    end: async () => {
      child.stdin?.end();
      await closed;
      return signal !== null;
    },
  };
}
