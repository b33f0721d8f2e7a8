// For tests: an agent that works by turns, as those with structured output do. What it is told is one
// JSON a line, so that a test reads it back.
import type { Adapter, AgentMessage } from "../../agents/adapters/adapter.ts";
import { adapterOf } from "../../agents/adapters/adapters.ts";
import { commandAdapter } from "../../agents/adapters/command.ts";
import { Play } from "./play.ts";

export interface Written extends Partial<AgentMessage> {
  readonly process: string;
  readonly interrupt?: string;
}

const line = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`);

function turnAgent(more: Partial<Adapter["capabilities"]>): Adapter {
  return {
    ...commandAdapter(["turns"]),
    name: "turns",
    capabilities: {
      resume: true,
      stdin: true,
      structured: true,
      deduplicates: true,
      softPause: true,
      ...more,
    },
    message: line,
    interrupt: (id) => line({ interrupt: id }),
  };
}

export class TurnPlay extends Play {
  constructor(type = "create_app", more: Partial<Adapter["capabilities"]> = {}) {
    super(type, 1, { agent: "turns" });
    this.around = {
      adapterOf: (name) =>
        name === "turns" ? turnAgent(more) : adapterOf(name, { sample: ["sample-agent"] }),
    };
  }

  /** All that was written into any process's input since the last call. */
  written(): Written[] {
    return this.effects.splice(0).flatMap(({ name, data }) => {
      const { process, text } = data as { process: string; text: string };
      return name === "write" ? [{ process, ...(JSON.parse(text) as object) }] : [];
    });
  }
  /** It took up everything it was told. */
  hears(): void {
    this.says(...this.agent.data.told.map(({ id }) => ({ type: "heard" as const, id })));
  }
  endsTurn(): void {
    this.says({ type: "turnEnd" });
  }
  /** Heard and done. */
  turn(): void {
    this.hears();
    this.endsTurn();
  }
}
