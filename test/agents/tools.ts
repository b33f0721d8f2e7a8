// The real agent CLIs as development tools (test/fetched.ts). They are proprietary or large, so they are nobody's
// dependency.
//
// Runs once before the tests (globalSetup); hands them the paths, or the reason why there is none.
import type { TestProject } from "vitest/node";
import { full } from "../crash/programs.ts";
import { fetched } from "../fetched.ts";

export interface Tool {
  readonly version: string;
  /** The program, or why it is not there. */
  readonly path: string | null;
  readonly problem: string | null;
}

declare module "vitest" {
  interface ProvidedContext {
    claude: readonly Tool[];
  }
}

export default function setup(project: TestProject): void {
  // The newest, and the last that npm gives to Node 20: what differs between them is in the adapter.
  const versions = full ? ["2.1.325", "2.1.197"] : ["2.1.325"];
  const claude = versions.map((version) => toolOf("claude-code", version, "claude"));
  for (const { version, problem } of claude)
    if (problem !== null) console.error(`Claude Code ${version} is not tested: ${problem}`);
  project.provide("claude", claude);
}

// --- internal ---

/** Of each package. */
const contents: Readonly<Record<string, string>> = {
  "claude-code-linux-x64@2.1.325":
    "BqZzMvP/zgLLL34S+7OzbG+cyoFp7gwWHU5koVwsyMlTAz+0zZAmbY+UkzvtN2RXxp6AcMenbYIjQJxoXfUY3w==",
  "claude-code-linux-x64-musl@2.1.325":
    "oGdN1c/gsReTlQ5lAktxX8AV7bt3USQsGrTDlFjf+bdIk7Kc8GCTZLGS7aBh59vGsgn4Oz255v/SSZ7+6wWz6g==",
  "claude-code-linux-arm64@2.1.325":
    "NCvQcOxr685Y4mkYUjQT8l/Ouzw0k2xWloWeyzfsUtWiOedHosPkaW6XCSpzAl1dMuvDNBF97qpWgVDrSdK2Vw==",
  "claude-code-linux-arm64-musl@2.1.325":
    "xZLgceKCX42bUXTqz3Cd1Tc7Li43ys8+gO1SA8ZKJ4q+a0ALv+N2LHQUC1Sr+AY3Qv16VQU/yAvU/iS24CuJdg==",
  "claude-code-linux-x64@2.1.197":
    "rIlKmrY0QMyHgPRX/MYWNj039vbypICvI9jVe3rs9Xy2RnNklySjyPxqh62QadznzoftEO23uYQ1tFePcQ//bg==",
  "claude-code-linux-x64-musl@2.1.197":
    "/Ij3+inZf96Lb1BLnO0rWArRi1HqIMh6HeGrQoykrp7a8Yj0SA1EQIO42kpNeVxM9z3o3xUaiIf0FRMzLIp6oQ==",
  "claude-code-linux-arm64@2.1.197":
    "sx6SoGj3MNR5CV+YDkNtbLHXa1tn3G8qcYFgm1gnvOi9ODQUKbhiPfankJfkTMDVekOvnKJhm6i9hGFIPzp7cQ==",
  "claude-code-linux-arm64-musl@2.1.197":
    "r3taVK9rDaMahHkrCGV8wF1Sjphs7fqXy2ZEznyDGxUqeW6HxgkbG7dPplXnwwGiMTdYLrtQTQMN21ZTxcVHBA==",
};

function toolOf(name: string, version: string, program: string): Tool {
  try {
    const pinned = `${name}-${platform()}`;
    const path = fetched("agents", {
      name: `@anthropic-ai/${pinned}`,
      version,
      contents: contents[`${pinned}@${version}`],
      program,
    });
    return { version, path, problem: null };
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    return { version, path: null, problem };
  }
}

function platform(): string {
  return `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
}

function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}
