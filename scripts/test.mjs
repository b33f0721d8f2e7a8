// `npm test`: everything that must hold before a change lands, cheapest first. Arguments go to
// vitest: `npm test -- graph` runs the checks and the tests that match.
import { join } from "node:path";
import { ensureChromium } from "./chromium.mjs";
import { must, ready, root } from "./ready.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);

/** @type {[string, string, string[]][]} */
const checks = [
  ["format", bin("oxfmt"), ["--check", "."]],
  ["lint", bin("oxlint"), ["--type-aware"]],
  ["types", bin("tsc"), []],
  ["types of the page", bin("tsc"), ["-p", "web"]],
  ["unused code", bin("knip"), []],
  ["package", bin("publint"), ["--strict"]],
];

await ready();
for (const [what, command, args] of checks) {
  console.error(`Checking ${what} …`);
  must(command, args, { stdio: ["ignore", 2, 2] });
}
ensureChromium();
must(bin("vitest"), ["run", ...process.argv.slice(2)]);
