// The browser that the tests of the page run in: the system's Chromium. Where there is none it is
// installed, if we may (as root, with apt-get); else those tests are skipped, and that is said loudly.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

/** The path of one, or undefined. */
export function findChromium() {
  const folders = (process.env.PATH ?? "").split(":");
  const places = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [process.env.HOLDFAST_CHROMIUM ?? "", ...places].find(
    (path) => path !== "" && existsSync(path),
  );
}

export function ensureChromium() {
  if (findChromium() === undefined && process.getuid?.() === 0) install();
  const path = findChromium();
  if (path !== undefined) process.env.HOLDFAST_CHROMIUM = path;
  else
    console.error(
      "\n!! There is no Chromium: the tests of the page (test/e2e) are SKIPPED.\n" +
        "!! Install it (apt-get install chromium) or name it in HOLDFAST_CHROMIUM.\n",
    );
}

function install() {
  console.error("Installing Chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env, stdio: ["ignore", "ignore", 2] };
  spawnSync("apt-get", ["update", "-q"], options);
  spawnSync("apt-get", ["install", "-qy", "--no-install-recommends", "chromium"], options);
}
