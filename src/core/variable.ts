// The environment variable in which an agent finds what was provided (S1.15).

/**
 * The name itself where a variable may have it. Any other character becomes “_”: a shell drops
 * variables with other names, and an agent would wait for its own for ever.
 */
export function variableOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/gu, "_").replace(/^(?=[0-9])/, "_");
}
