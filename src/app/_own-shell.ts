// A command that a session asks for runs as that session would run it: on its own machine, with what
// its own shell has.
import type { Environment } from "../store/home.ts";

export function shellOf(env: Environment): Record<string, string> {
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}
