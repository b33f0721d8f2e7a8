// One message to one address that a person configured. The address is a secret, and whoever can set
// it could make us call anything from inside the network, so (notes: SSRF):
//
//   https alone · no user or password in it · no redirect is followed · the name is resolved by us,
//   every address it stands for must be a public one, and the call goes to exactly that address
//   (a second lookup could say something else) · 5 seconds in all · nothing of it in an error
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP } from "node:net";
import type { Environment } from "../store/home.ts";

export interface WebhookOptions {
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>;
  /** For tests: http to a loopback address stands for a receiver out there (webhookOptions). */
  readonly allowLoopback?: boolean;
  readonly timeoutMs?: number;
}

/** Why it was not sent, in a word that holds nothing of the address; null: it was taken. */
export type NotSent = "address" | "unresolved" | "private" | "timeout" | "failed";

/** `HOLDFAST_WEBHOOKS=loopback` lets a receiver on this machine be tried; nothing else becomes reachable by it. */
export function webhookOptions(env: Environment): WebhookOptions {
  return env["HOLDFAST_WEBHOOKS"] === "loopback" ? { allowLoopback: true } : {};
}

export async function postTo(
  address: string,
  payload: object,
  options: WebhookOptions,
  ended: AbortSignal,
): Promise<NotSent | null> {
  const url = addressOf(address, options);
  if (url === undefined) return "address";
  const within = AbortSignal.any([ended, AbortSignal.timeout(options.timeoutMs ?? 5_000)]);
  try {
    const target = await pinned(url, options, within);
    if (typeof target === "string") return target;
    const status = await send(url, target, JSON.stringify(payload), within);
    // A redirect would lead to an address that nobody has looked at.
    return status >= 200 && status < 300 ? null : "failed";
  } catch {
    return within.aborted ? "timeout" : "failed";
  }
}

/** What others wrote, without Slack's own signs: between these it reads mentions and links. */
export function slackText(text: string): string {
  return text.replace(/[<>&]/g, (sign) => slackSigns[sign] ?? sign);
}

// --- internal ---

const slackSigns: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };

function addressOf(address: string, { allowLoopback = false }: WebhookOptions): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const plain = allowLoopback && url.protocol === "http:";
  if (url.protocol !== "https:" && !plain) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}

/** The one address that is called, or why none may be. */
async function pinned(
  url: URL,
  { resolve = resolveAll, allowLoopback = false }: WebhookOptions,
  within: AbortSignal,
): Promise<LookupAddress | "unresolved" | "private"> {
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(name);
  const found =
    family > 0
      ? [{ address: name, family }]
      : await Promise.race([resolve(name), aborted(within)]).catch(() => []);
  const [first] = found;
  if (first === undefined) return "unresolved";
  const mayBe = allowLoopback && url.protocol === "http:" ? isLoopback : isPublic;
  return found.every(mayBe) ? first : "private";
}

const resolveAll = (name: string): Promise<LookupAddress[]> => lookup(name, { all: true });

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    if (signal.aborted) fail(new Error("ended"));
    signal.addEventListener("abort", () => fail(new Error("ended")), { once: true });
  });
}

function send(url: URL, to: LookupAddress, body: string, signal: AbortSignal): Promise<number> {
  const call = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((done, fail) => {
    const sending = call(
      url,
      {
        method: "POST",
        signal,
        // A kept connection would outlive the look at its address.
        agent: false,
        lookup: (_name, options, give) =>
          options.all ? give(null, [to]) : give(null, to.address, to.family),
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": "holdfast",
        },
      },
      (answer) => {
        done(answer.statusCode ?? 0);
        // What it says is nobody's business; it may be endless.
        answer.destroy();
      },
    );
    sending.on("error", fail);
    sending.end(body);
  });
}

/** Not of this host, this network, a tunnel, an example, a group. */
const notPublic = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  notPublic.addSubnet(network, bits, "ipv6");
/** All that is given out to the public; the rest of IPv6 is local, mapped or reserved. */
const publicSix = new BlockList();
publicSix.addSubnet("2000::", 3, "ipv6");

function isLoopback({ address }: LookupAddress): boolean {
  return address.startsWith("127.");
}

function isPublic({ address }: LookupAddress): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, "ipv4");
  return family === 6 && publicSix.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}
