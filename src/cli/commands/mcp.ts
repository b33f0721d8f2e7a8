// `holdfast mcp`: no operation, since agents reach operations through it.
import { msg } from "../../core/messages.ts";
import type { OwnCommand } from "../command.ts";

export const command: OwnCommand = {
  fields: {},
  schema: {},
  examples: [
    { line: "claude mcp add holdfast -- holdfast mcp", does: msg("cli.mcp.example.claude") },
    { line: "holdfast mcp --cwd ~/project", does: msg("cli.mcp.example.cwd") },
  ],
  run: async ({ cwd, io, look }) => {
    const { serveOverStdio } = await import("../../mcp/stdio.ts");
    const tell = (text: string): void => io.err(`${look.paint("yellow", "!")} ${text}`);
    await serveOverStdio(
      {
        cwd,
        env: io.env,
        language: look.language,
        ended: () => io.ended(),
        // Standard output belongs to the protocol.
        tell: (text) => tell(look.say(text)),
        emit: () => undefined,
      },
      process,
      (cause) => tell(cause.message),
    );
    return 0;
  },
};
