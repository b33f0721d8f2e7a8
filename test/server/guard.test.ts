// Every route × every attack. The routes come from the table itself: one that is added tomorrow is
// attacked without a line here.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Route, Routes } from "../../src/server/routes.ts";
import { operations, type OperationEntry } from "../../src/app/operations.ts";
import { pagePaths } from "../../src/server/static.ts";
import {
  type Answer,
  type ServerWorld,
  routesOf,
  serverWorld,
  speak,
  withoutNull,
} from "./world.ts";

let world: ServerWorld;
let routes: Routes;
let port = 0;
let cookie = "";
beforeAll(async () => {
  world = serverWorld();
  await world.serve();
  const made = routesOf(world.server);
  ({ routes, port } = made);
  cookie = made.guard.cookie.split(";")[0] ?? "";
});
afterAll(() => world.end());

/** What a request is like before it is made worse. */
interface Asking {
  method: string;
  query: string;
  body: string | undefined;
  headers: Record<string, string | null>;
}

type Attack = (asking: Asking, route: Route) => void;

const withCookie = (asking: Asking): void => {
  asking.headers["authorization"] = null;
  asking.headers["cookie"] = cookie;
};

/** By somebody who does not know the token. */
const strangers: Record<string, Attack> = {
  "no token": (asking) => (asking.headers["authorization"] = null),
  "a wrong token": (asking) => (asking.headers["authorization"] = `Bearer ${"x".repeat(43)}`),
  "a beginning of the token": (asking) =>
    (asking.headers["authorization"] = `Bearer ${world.server.token.slice(0, 42)}`),
  "the token in the address": (asking) => {
    asking.headers["authorization"] = null;
    asking.query = `?token=${world.server.token}&access_token=${world.server.token}`;
  },
  "the token as a password": (asking) =>
    (asking.headers["authorization"] =
      `Basic ${Buffer.from(`holdfast:${world.server.token}`).toString("base64")}`),
  "the token as a cookie": (asking) => {
    asking.headers["authorization"] = null;
    asking.headers["cookie"] =
      `holdfast_${port}=${world.server.token}; token=${world.server.token}`;
  },
};

/** By a page in the browser of somebody who has a session, or a program that forwards. */
const pages: Record<string, Attack> = {
  "a name that was pointed at us (rebinding)": (asking) => {
    asking.headers["host"] = `evil.example:${port}`;
    asking.headers["origin"] = `http://evil.example:${port}`;
    asking.headers["sec-fetch-site"] = "same-origin";
  },
  "our address without its port": (asking) => (asking.headers["host"] = "127.0.0.1"),
  "another port of this host": (asking) => (asking.headers["host"] = `127.0.0.1:${port + 1}`),
  "a name that begins like ours": (asking) =>
    (asking.headers["host"] = `127.0.0.1:${port}.evil.example`),
  "no host at all": (asking) => (asking.headers["host"] = ""),
  "a foreign origin": (asking) => (asking.headers["origin"] = "https://evil.example"),
  "the origin null": (asking) => (asking.headers["origin"] = "null"),
  "an origin that begins like ours": (asking) =>
    (asking.headers["origin"] = `http://127.0.0.1:${port}.evil.example`),
  "our origin, but https": (asking) => (asking.headers["origin"] = `https://127.0.0.1:${port}`),
  "a page of another port": (asking) => (asking.headers["origin"] = `http://localhost:${port + 1}`),
  "Sec-Fetch-Site cross-site": (asking) => (asking.headers["sec-fetch-site"] = "cross-site"),
  "a picture or script of another site": (asking) => {
    asking.headers["sec-fetch-site"] = "cross-site";
    asking.headers["sec-fetch-mode"] = "no-cors";
    asking.headers["sec-fetch-dest"] = "script";
  },
  "a frame of another site": (asking) => {
    asking.headers["sec-fetch-site"] = "cross-site";
    asking.headers["sec-fetch-mode"] = "navigate";
    asking.headers["sec-fetch-dest"] = "iframe";
  },
  "Sec-Fetch-Site same-site": (asking) => (asking.headers["sec-fetch-site"] = "same-site"),
  "a cookie and a foreign origin": (asking) => {
    withCookie(asking);
    asking.headers["origin"] = "https://evil.example";
  },
};

/** By a method or a body that is not the route's. */
const forms: Record<string, Attack> = {
  HEAD: (asking) => (asking.method = "HEAD"),
  "OPTIONS, as before a request of another site": (asking) => {
    asking.method = "OPTIONS";
    asking.headers["access-control-request-method"] = "POST";
  },
  "another method": (asking, route) => (asking.method = otherMethod(route)),
  PUT: (asking) => (asking.method = "PUT"),
  "a method that is overridden": (asking, route) => {
    asking.method = otherMethod(route);
    for (const name of ["x-http-method-override", "x-method-override", "x-http-method"])
      asking.headers[name] = route.method;
    asking.query = `?_method=${route.method}`;
  },
};

/** Only what takes a body. */
const bodies: Record<string, Attack> = {
  "a body of text/plain": (asking) => (asking.headers["content-type"] = "text/plain"),
  "a form": (asking) => (asking.headers["content-type"] = "application/x-www-form-urlencoded"),
  "a form with files": (asking) =>
    (asking.headers["content-type"] = "multipart/form-data; boundary=x"),
  "text/plain that speaks of JSON": (asking) =>
    (asking.headers["content-type"] = "text/plain; application/json"),
  "no type at all": (asking) => (asking.headers["content-type"] = null),
  "the cookie alone, from who knows where": withCookie,
  "a typed address": (asking) => (asking.headers["sec-fetch-site"] = "none"),
};

/** As a browser does for a link on another site. */
async function follow(path: string): Promise<number> {
  const route = routes.table.find((each) => each.method === "GET" && each.path === path);
  if (!route) throw new Error(`no route ${path}`);
  const asking = plain(route);
  asking.headers["authorization"] = null;
  asking.headers["sec-fetch-site"] = "cross-site";
  asking.headers["sec-fetch-mode"] = "navigate";
  asking.headers["sec-fetch-dest"] = "document";
  return (await ask(route, asking)).status;
}

function plain(route: Route): Asking {
  const body = route.method === "GET" ? undefined : "{}";
  return {
    method: route.method,
    query: "",
    body,
    headers: {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${world.server.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
  };
}

async function ask(route: Route, { method, query, body, headers }: Asking): Promise<Response> {
  const path = route.path.replaceAll(/\{\w+\}/g, "task_1");
  return routes.app.request(`http://127.0.0.1:${port}${path}${query}`, {
    method,
    headers: withoutNull(headers),
    ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }),
  });
}

/** That of no route with this path: GET must not do what POST does, nor the other way round. */
function otherMethod({ path }: Route): string {
  const own = new Set<string>(
    routes.table.filter((route) => route.path === path).map(({ method }) => method),
  );
  return ["GET", "POST", "DELETE"].find((method) => !own.has(method)) ?? "PATCH";
}

/** Names of the attacks that were not refused, or not in the one form of an error. */
async function passed(route: Route, attacks: Record<string, Attack>): Promise<string[]> {
  const through: string[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    const asking = plain(route);
    attack(asking, route);
    const answer = await ask(route, asking);
    const refused = [401, 403, 405, 415].includes(answer.status);
    const text = await answer.text();
    const formed = asking.method === "HEAD" || isError(text);
    if (!refused || !formed || text.includes(world.server.token))
      through.push(`${route.method} ${route.path}: ${name} (${answer.status})`);
  }
  return through;
}

function isError(text: string): boolean {
  const { error } = JSON.parse(text) as Answer["json"];
  return [error?.code, error?.message, error?.hint].every((part) => typeof part === "string");
}

/** Exactly these bytes, and what comes back. */
function rawly(to: number, head: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(to, "127.0.0.1", () => socket.write(`${head}connection: close\r\n\r\n`));
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.on("close", () => done(text)).on("error", fail);
  });
}

/** Routes of the app that nobody put through the guard. */
function unguarded({ app, table }: Routes): string[] {
  const known = new Set(
    table.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  return app.routes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => !known.has(name));
}

describe("who may ask (S6.6)", () => {
  test("every route is in the guarded table; one that is not is found", () => {
    expect(unguarded(routes)).toEqual([]);
    const { routes: planted } = routesOf(world.server);
    planted.app.get("/planted", (context) => context.text("hello"));
    expect(unguarded(planted)).toEqual(["GET /planted"]);
  });

  test("every operation with a route is there, and only the page and its files need no token", () => {
    const wanted = Object.values(operations as Record<string, OperationEntry>).flatMap(({ http }) =>
      http === undefined ? [] : [`${http[0]} ${http[1]}`],
    );
    const there = routes.table.map(({ method, path }) => `${method} ${path}`);
    expect(wanted.length).toBeGreaterThan(20);
    expect(there).toEqual(expect.arrayContaining(wanted));
    expect(new Set(there).size).toBe(there.length);
    const open = routes.table.filter(({ access }) => access === "open").map(({ path }) => path);
    expect(open.toSorted()).toEqual([...pagePaths, "/assets/{file}", "/healthz"].toSorted());
  });

  test("S6.6 every route refuses every attack, in the one form of an error", async () => {
    const through: string[] = [];
    let tried = 0;
    for (const route of routes.table) {
      const attacks = {
        ...(route.access === "open" ? {} : strangers),
        ...pages,
        ...forms,
        ...(route.method === "GET" ? {} : bodies),
      };
      tried += Object.keys(attacks).length;
      through.push(...(await passed(route, attacks)));
    }
    expect(through).toEqual([]);
    expect(tried).toBeGreaterThan(700);
  });

  test("a guard that is left out is noticed: without its checks every attack passes", async () => {
    const { routes: planted } = routesOf(world.server);
    planted.app.get("/api/careless", (context) => context.json({ secret: 1 }));
    const careless: Route = {
      method: "GET",
      path: "/api/careless",
      access: "token",
      handle: () => new Response(),
    };
    const before = routes;
    routes = planted;
    const through = await passed(careless, { ...strangers, ...pages });
    routes = before;
    expect(through).toHaveLength(Object.keys({ ...strangers, ...pages }).length);
  });

  test("good clients pass: a program, our page with its cookie, a typed address", async () => {
    const read = routes.table.find(({ method, path }) => method === "GET" && path === "/api/tasks");
    const write = routes.table.find(({ method, path }) => method === "POST" && path === "/session");
    if (!read || !write) throw new Error("no routes");
    const kinds: Record<string, Attack> = {
      program: () => undefined,
      localhost: (asking) => (asking.headers["host"] = `localhost:${port}`),
      six: (asking) => (asking.headers["host"] = `[::1]:${port}`),
      page: (asking) => {
        withCookie(asking);
        asking.headers["origin"] = `http://127.0.0.1:${port}`;
        asking.headers["sec-fetch-site"] = "same-origin";
      },
    };
    for (const change of Object.values(kinds))
      for (const route of [read, write]) {
        const asking = plain(route);
        change(asking, route);
        expect((await ask(route, asking)).status).toBe(200);
      }
    const typed = plain(read);
    withCookie(typed);
    typed.headers["sec-fetch-site"] = "none";
    expect((await ask(read, typed)).status).toBe(200);
  });

  test("a link in a chat leads to the page, which holds nothing; to nothing else", async () => {
    expect(await follow("/")).toBe(200);
    expect(await follow("/api/tasks")).toBe(403);
  });

  test("the session's cookie is HttpOnly, SameSite=Strict, and is not the token", async () => {
    const answer = await world.call("/session", { body: {} });
    const [set = ""] = answer.headers["set-cookie"] ?? [];
    expect(set).toMatch(/^holdfast_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(set).not.toContain(world.server.token);
  });

  test("every answer, also an error, says what a browser may do with it; none allows another site", async () => {
    for (const path of ["/api/tasks", "/healthz", "/api/nothing", "/"]) {
      const { headers } = await world.call(path);
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
      expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  test("over a real connection: two Host headers, a whole address as target and a stranger's stream are refused", async () => {
    const evil = `http://evil.example/api/tasks`;
    const { server } = world;
    expect((await speak(server, "/api/events", { headers: { authorization: null } })).status).toBe(
      401,
    );
    for (const origin of ["https://evil.example", "null", `http://127.0.0.1:${port + 1}`])
      expect((await speak(server, "/api/events", { headers: { origin } })).status).toBe(403);
    expect(
      (await speak(server, "/api/events", { headers: { "sec-fetch-site": "cross-site" } })).status,
    ).toBe(403);
    const raw = (head: string): Promise<string> => rawly(port, head);
    const token = `authorization: Bearer ${server.token}`;
    expect(
      await raw(
        `GET /api/tasks HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nhost: evil.example\r\n${token}\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 40[03]/);
    expect(await raw(`GET ${evil} HTTP/1.1\r\nhost: evil.example\r\n${token}\r\n`)).toMatch(
      /^HTTP\/1.1 403/,
    );
    expect(await raw(`GET /api/tasks HTTP/1.1\r\n${token}\r\n`)).toMatch(/^HTTP\/1.1 400/);
    expect(await raw(`GET /api/tasks HTTP/1.0\r\n${token}\r\n`)).toMatch(/^HTTP\/1.1 40[03]/);
    expect(
      await raw(
        `GET /api/tasks?q=${"x".repeat(20_000)} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${token}\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 431[^]*"code":"invalid_input"/);
  });
});
