// Who may ask. A page of any site can make a browser send requests to this machine, so each is
// judged by everything a browser can not be made to lie about:
//
//   Host             one of our own names, exactly: a name that was pointed at us (DNS rebinding) is not
//   Origin           where there is one, exactly our own; never "null", never the beginning of ours
//   Sec-Fetch-Site   same-origin, or none: typed by a person; other ports of this host are foreign
//   token            in Authorization, compared in constant time; or the cookie made from it, which a
//                    browser sends only with requests of our own page. Never in the address: that is
//                    logged and shown
//
// The cookie is not the token: other servers on this host get to see it, since cookies know no ports.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { msg } from "../core/messages.ts";
import type { Refusal } from "./errors.ts";

export interface GuardOptions {
  readonly token: string;
  readonly port: number;
  /** A further name that the server was told to listen at. */
  readonly host?: string | undefined;
}

export interface Guard {
  /**
   * Is the request meant for us, and from us? Asked of every request. `isLinked`: another site may lead
   * a person here, since what is shown holds nothing of anybody's.
   */
  foreign(request: Request, isLinked?: boolean): Refusal | undefined;
  /** Does it come from somebody who knows the token? */
  unknown(request: Request): Refusal | undefined;
  /** The cookie for a browser whose page knew the token. */
  readonly cookie: string;
}

export function createGuard({ token, port, host }: GuardOptions): Guard {
  const names = [
    "127.0.0.1",
    "localhost",
    "[::1]",
    ...(host === undefined ? [] : [bracketed(host)]),
  ];
  const hosts = new Set(names.flatMap((name) => withPort(name.toLowerCase(), port)));
  const origins = new Set([...hosts].map((each) => `http://${each}`));
  const cookieName = `holdfast_${port}`;
  // Made from the token, so that an open page goes on after a restart.
  const session = createHmac("sha256", token).update("session").digest("base64url");
  const isToken = comparer(token);
  const isSession = comparer(session);
  return {
    cookie: `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`,
    foreign: ({ headers, method }, isLinked = false) => {
      if (!hosts.has((headers.get("host") ?? "").toLowerCase())) return foreignHost;
      const origin = headers.get("origin");
      if (origin !== null && !origins.has(origin.toLowerCase())) return foreignOrigin;
      const site = headers.get("sec-fetch-site");
      if (site === null || site === "same-origin") return undefined;
      // A link in a mail or a chat. No cookie comes with it, and no frame may hold it.
      const isOpened =
        headers.get("sec-fetch-mode") === "navigate" &&
        headers.get("sec-fetch-dest") === "document";
      if (isLinked && isOpened && origin === null && method === "GET") return undefined;
      // Typed, or from a bookmark: that only ever reads.
      return site === "none" && method === "GET" ? undefined : foreignOrigin;
    },
    unknown: ({ headers, method }) => {
      const given = /^Bearer (\S+)$/.exec(headers.get("authorization") ?? "")?.[1];
      if (given !== undefined) return isToken(given) ? undefined : noToken;
      const sent = cookieOf(headers.get("cookie") ?? "", cookieName);
      if (sent === undefined || !isSession(sent)) return noToken;
      // A cookie goes along unasked: what changes something has to come from our own page, visibly.
      const visible = headers.get("origin") !== null || headers.get("sec-fetch-site") !== null;
      return method === "GET" || visible ? undefined : foreignOrigin;
    },
  };
}

// --- internal ---

const foreignHost: Refusal = {
  code: "forbidden",
  text: msg("http.foreign_host"),
  hint: msg("http.foreign_host.hint"),
};
const foreignOrigin: Refusal = {
  code: "forbidden",
  text: msg("http.foreign_origin"),
  hint: msg("http.foreign_origin.hint"),
};
const noToken: Refusal = {
  code: "unauthorized",
  text: msg("http.no_token"),
  hint: msg("http.no_token.hint"),
  headers: { "www-authenticate": "Bearer" },
};

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** A browser leaves the usual port out. */
function withPort(name: string, port: number): string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Digests have one length, whatever was sent: the comparison takes the same time for all. */
function comparer(wanted: string): (given: string) => boolean {
  const right = digest(wanted);
  return (given) => timingSafeEqual(digest(given), right);
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const [key, value] = part.split("=", 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}
