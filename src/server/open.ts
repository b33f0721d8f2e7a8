// Opens the page in the user's browser. Its address holds the token, so the browser is given a file that
// leads there. A browser that may not read the file (a snap does not see hidden folders) shows its own
// error; the address was printed, and works there as well.
import { spawn } from "node:child_process";
import { writeOpener } from "../app/server-file.ts";

export interface OpenedPage {
  readonly home: string;
  readonly address: string;
}

/** Whether a browser took it: there may be none, or no room for the file. */
export async function openBrowser(
  { home, address }: OpenedPage,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const file = await writeOpener(home, address).catch(() => null);
  if (file === null) return false;
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  return new Promise((done) => {
    const child = spawn(program, [file], {
      env,
      stdio: "ignore",
      detached: true,
    });
    const end = (opened: boolean): void => {
      clearTimeout(running);
      done(opened);
    };
    // Where no desktop takes the page over, the program is the browser itself and runs as long as that.
    const running = setTimeout(() => end(true), startMs);
    child.once("error", () => end(false));
    child.once("exit", (code) => end(code === 0));
    child.unref();
  });
}

// --- internal ---

const startMs = 3_000;
