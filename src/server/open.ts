// Opens the page in the user's browser. The address holds the token, so it is handed to the browser
// alone; on a machine without one nothing is lost, the address was printed.
import { spawn } from "node:child_process";

export function openBrowser(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  return new Promise((done) => {
    const child = spawn(program, [address], {
      env,
      stdio: "ignore",
      detached: true,
    });
    child.once("error", () => done(false));
    child.once("exit", (code) => done(code === 0));
    child.unref();
  });
}
