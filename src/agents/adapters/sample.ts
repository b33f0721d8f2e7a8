// The built-in scripted agent (docs/sample-agent.md): a plain command that also keeps its place.
import type { Adapter } from "./adapter.ts";
import { commandAdapter, plainEnvironment } from "./command.ts";

/** `program`: how to run it, e.g. node and the path of dist/sample-agent.js. */
export function sampleAdapter(program: readonly string[]): Adapter {
  return {
    ...commandAdapter(program),
    name: "sample",
    capabilities: {
      resume: true,
      stdin: true,
      structured: false,
      deduplicates: true,
      softPause: false,
    },
    command: (start) => ({
      command: start.script === undefined ? program : [...program, "--script", start.script],
      env: {
        ...plainEnvironment(start),
        HOLDFAST_SAMPLE_HOME: start.home,
        HOLDFAST_OUTPUT: start.output,
      },
    }),
  };
}
