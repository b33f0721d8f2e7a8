// `holdfast serve`: no operation, since it is what operations are reached through. It says where it
// is, shows what happens line by line, and ends in good order.
import { type FoundServer, findServer } from "../../app/server-file.ts";
import type { Transition } from "../../app/journal.ts";
import { Fault } from "../../core/errors.ts";
import { isMessageKey, msg } from "../../core/messages.ts";
import { openBrowser } from "../../server/open.ts";
import { type ServeOptions, serve } from "../../server/serve.ts";
import type { Look, OwnCommand } from "../command.ts";

export const command: OwnCommand = {
  fields: {
    port: msg("op.serve.port"),
    host: msg("op.serve.host"),
    slots: msg("op.serve.slots"),
    diskFloor: msg("op.serve.disk_floor"),
    strictMarkers: msg("op.serve.strict_markers"),
    open: msg("op.serve.open"),
    allowRemote: msg("op.serve.allow_remote"),
  },
  schema: {
    properties: {
      port: { type: "integer" },
      host: { type: "string" },
      slots: { type: "integer" },
      diskFloor: { type: "integer" },
      strictMarkers: { type: "boolean" },
      open: { type: "boolean" },
      allowRemote: { type: "boolean" },
    },
  },
  examples: [
    { line: "holdfast serve", does: msg("cli.serve.example.plain") },
    { line: "holdfast serve --port 0 --slots 2", does: msg("cli.serve.example.port") },
  ],
  run: async ({ input, cwd, json, io, look }) => {
    const { open, ...given } = checked(input);
    const ended = io.ended();
    const notice = (text: string): void => io.err(`${look.paint("yellow", "!")} ${text}`);
    // What happens while it starts is told after where it is.
    let say = (line: string): void => void early.push(line);
    const early: string[] = [];
    const options: ServeOptions = {
      ...given,
      cwd,
      env: io.env,
      tell: (text) => notice(look.say(text)),
      watcher: {
        transitions: (rows) => {
          for (const row of rows) say(json ? JSON.stringify(row) : lineOf(row, look));
        },
        changed: () => undefined,
      },
    };
    const show = async (home: string, address: string): Promise<void> => {
      if (!(await openBrowser({ home, address }, io.env)))
        notice(look.say(msg("server.no_browser")));
    };
    const server = await serve(options).catch((thrown: unknown) =>
      otherServer(thrown, open, io.env),
    );
    const { url, token } = server;
    const address = `${url}/#token=${token}`;
    if (json) io.out(JSON.stringify({ url, token }));
    if ("pid" in server) {
      if (!json) io.out(look.say(msg("server.opened", { url: address, pid: server.pid })));
      await show(server.home, address);
      return 0;
    }
    if (!json)
      io.out(
        `${look.say(msg("server.ready", { url: address }))}\n${look.say(msg("server.ready.stop"))}`,
      );
    for (const line of early) io.out(line);
    say = (line) => io.out(line);
    if (open) void show(server.serving.home.path, address);
    await raised(ended);
    if (!json) io.err(look.say(msg("server.stopping")));
    const left = await server.stop();
    const said = left === 0 ? msg("server.stopped") : msg("server.stopped_agents", { count: left });
    if (!json) io.err(look.say(said));
    return 0;
  },
};

// --- internal ---

const usualPort = 4317;

/** Where only the page is wanted, the server that runs already is as good as a new one. */
async function otherServer(
  thrown: unknown,
  open: boolean,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundServer> {
  const isTaken = thrown instanceof Fault && thrown.code === "locked";
  const found = open && isTaken ? await findServer(env) : undefined;
  if (found === undefined) throw thrown;
  return found;
}

interface Given {
  readonly port: number;
  readonly host: string | undefined;
  readonly slots: number | undefined;
  readonly diskFloor: number | undefined;
  readonly strictMarkers: boolean;
  readonly open: boolean;
  readonly allowRemote: boolean;
}

function checked(input: Readonly<Record<string, unknown>>): Given {
  const { port = usualPort, slots, diskFloor } = input as Readonly<Record<string, number>>;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Fault("invalid_input", msg("server.bad_port"));
  if (slots !== undefined && (!Number.isInteger(slots) || slots < 1 || slots > 1_000))
    throw new Fault("invalid_input", msg("server.bad_slots"));
  if (diskFloor !== undefined && (!Number.isInteger(diskFloor) || diskFloor < 0))
    throw new Fault("invalid_input", msg("server.bad_floor"));
  const host = input["host"] as string | undefined;
  return {
    port,
    host,
    slots,
    diskFloor,
    strictMarkers: input["strictMarkers"] === true,
    open: input["open"] === true,
    allowRemote: input["allowRemote"] === true,
  };
}

/** A task by its labels; what else there is by its own words. */
function lineOf(
  { timestamp, machine, taskId, entityId, from, to, trigger }: Transition,
  look: Look,
): string {
  const state = (name: string): string => {
    const key = `task.label.${name}`;
    if (machine !== "task" || !isMessageKey(key)) return name;
    return look.say({ key, params: {} });
  };
  const about = machine === "task" ? "" : `  ${machine} ${entityId}`;
  const time = look.paint("dim", timestamp.slice(11, 19));
  return `${time}  ${look.paint("bold", taskId)}${about}  ${state(from)} → ${state(to)}  ${look.paint("dim", trigger)}`;
}

function raised(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });
}
