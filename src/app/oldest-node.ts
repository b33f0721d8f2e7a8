// The Node that runs us, and the oldest that can.

export const nodeVersion = process.versions.node;

/** package.json's `engines`. */
export const oldestNode = "20.19";

export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [least = 0, leastMinor = 0] = oldestNode.split(".").map(Number);
  return major < least || (major === least && minor < leastMinor);
}
