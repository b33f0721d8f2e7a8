// A client of the event stream: what came, event by event.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { RunningServer } from "../../src/server/serve.ts";
import type { Transition } from "../../src/app/journal.ts";
import { patience } from "../patience.ts";

export interface Heard {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

export interface Listener {
  readonly heard: Heard[];
  /** Comments, by which a connection is kept alive. */
  readonly comments: string[];
  readonly transitions: () => Transition[];
  /** The number it would send when it comes again. */
  readonly lastId: () => string | undefined;
  readonly ended: Promise<void>;
  until(is: () => boolean): Promise<void>;
  close(): void;
  /** Does not read any more. */
  pause(): void;
}

export async function listen(
  server: Pick<RunningServer, "url" | "token">,
  query = "",
  headers: Record<string, string> = {},
): Promise<Listener> {
  const { asking, answer } = await connect(server, query, headers);
  const heard: Heard[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();
  let text = "";
  answer.setEncoding("utf8").on("data", (chunk: string) => {
    const blocks = (text + chunk).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.startsWith(":")) comments.push(block);
      else if (block.includes("data: ")) heard.push(heardOf(block));
    }
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((done) => answer.once("close", () => done()));
  return {
    heard,
    comments,
    transitions: () =>
      heard.flatMap(({ event, data }) =>
        event === "transition" ? [JSON.parse(data) as Transition] : [],
      ),
    lastId: () => heard.findLast(({ id }) => id !== null)?.id ?? undefined,
    ended,
    until: (is) =>
      new Promise((done, fail) => {
        const late = setTimeout(
          () => fail(new Error(`heard only ${JSON.stringify(heard.slice(-5))}`)),
          patience,
        );
        const look = (): void => {
          if (!is()) return;
          clearTimeout(late);
          waiting.delete(look);
          done();
        };
        waiting.add(look);
        look();
      }),
    close: () => asking.destroy(),
    pause: () => void answer.pause(),
  };
}

function connect(
  { url, token }: Pick<RunningServer, "url" | "token">,
  query: string,
  headers: Record<string, string>,
): Promise<{ asking: ClientRequest; answer: IncomingMessage }> {
  return new Promise((done, fail) => {
    const asking = request(
      `${url}/api/events${query}`,
      { headers: { authorization: `Bearer ${token}`, ...headers }, agent: false },
      (answer) => {
        answer.on("error", () => undefined);
        if (answer.statusCode === 200) done({ asking, answer });
        else {
          answer.resume();
          fail(new Error(`status ${answer.statusCode}`));
        }
      },
    );
    asking.on("error", fail);
    asking.end();
  });
}

function heardOf(block: string): Heard {
  const field = (name: string): string | null =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null;
  return { id: field("id"), event: field("event") ?? "message", data: field("data") ?? "" };
}
