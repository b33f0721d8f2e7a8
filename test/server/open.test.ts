// `serve --open` with a program in the browser's place that records what everybody on the machine can see.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ServerFile } from "../../src/app/server-file.ts";
import { type Running, cli, holdfast, start } from "../cli/program.ts";
import { patience } from "../patience.ts";
import { type EngineWorld, engineWorld } from "../engine/world.ts";

let world: EngineWorld;
let running: Running[];
beforeEach(() => {
  world = engineWorld();
  running = [];
  const bin = join(world.folder, "bin");
  mkdirSync(bin);
  for (const name of ["xdg-open", "open"]) {
    writeFileSync(join(bin, name), opener);
    chmodSync(join(bin, name), 0o755);
  }
  world.env["PATH"] = `${bin}:${world.env["PATH"]}`;
  world.env["SEEN"] = join(world.folder, "seen");
});
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill("SIGTERM");
    await ended;
  }
  await world.close();
});

/** Its own arguments on the first line, then those of every process there is. */
const opener = `#!/bin/sh
printf '%s\\n' "$*" > "$SEEN.half"
cat /proc/$$/cmdline /proc/self/cmdline /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' >> "$SEEN.half"
mv "$SEEN.half" "$SEEN"
`;

const seen = (): string => join(world.folder, "seen");

async function appears(path: string): Promise<string> {
  await expect.poll(() => existsSync(path), { timeout: patience }).toBe(true);
  return readFileSync(path, "utf8");
}

async function serve(...words: string[]): Promise<ServerFile> {
  const server = start([process.execPath, cli, "serve", "--port", "0", ...words], {
    cwd: world.root,
    env: world.env,
  });
  running.push(server);
  return JSON.parse(await appears(join(world.home, "server.json"))) as ServerFile;
}

const again = (...words: string[]) =>
  holdfast(["serve", "--port", "0", ...words], { cwd: world.root, env: world.env });

test("S6.6 the browser is given a file for us alone that leads to the page: the token is in no argument list", async () => {
  const { url, token } = await serve("--open");
  const told = await appears(seen());
  const [given = ""] = told.split("\n");
  expect(given).toMatch(/^file:\/\/\/\S+\/open\.html$/);
  expect(told).not.toContain(token);
  const file = fileURLToPath(given);
  expect(file).toBe(join(world.home, "open.html"));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain(`content="0; url=${url}/#token=${token}"`);
  const [server] = running;
  server?.child.kill("SIGTERM");
  await server?.ended;
  expect(existsSync(file)).toBe(false);
});

test("S7.1 while a server runs, --open opens that one, says which it is, and ends well; without --open it is refused", async () => {
  const { url, token, pid } = await serve();
  for (const lang of ["en", "ko"]) {
    const { code, out, err } = again("--open", "--lang", lang);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`${url}/#token=${token}`);
    expect(out).toContain(String(pid));
  }
  const told = await appears(seen());
  expect(told).not.toContain(token);
  expect(readFileSync(join(world.home, "open.html"), "utf8")).toContain(`${url}/#token=${token}`);
  const json = again("--open", "--json");
  expect([json.code, JSON.parse(json.out)]).toEqual([0, { url, token }]);
  const refused = again();
  expect(refused.code).toBe(5);
  expect(refused.err).toContain("holdfast serve --open");
});

test("S7.1 one that does not answer is not opened: the second is refused as without --open", async () => {
  await serve();
  running[0]?.child.kill("SIGSTOP");
  const { code } = again("--open");
  running[0]?.child.kill("SIGCONT");
  expect(code).toBe(5);
  expect(existsSync(seen())).toBe(false);
});

test("S7.1 without a browser the address is printed, and that is said", async () => {
  const { url, token } = await serve();
  for (const name of ["xdg-open", "open"])
    writeFileSync(join(world.folder, "bin", name), "#!/bin/sh\nexit 3\n");
  const { code, out, err } = again("--open");
  expect(code).toBe(0);
  expect(out).toContain(`${url}/#token=${token}`);
  expect(err).toContain("open the address yourself");
});
