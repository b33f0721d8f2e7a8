// `npm start`: makes the clone ready and runs the program. Without words it shows the sample project.
import { join } from "node:path";
import { must, ready, root } from "./ready.mjs";

await ready();
const words = process.argv.slice(2);
const cli = join(root, "dist", "cli.js");
if (words.length > 0) must(process.execPath, [cli, ...words]);
else must(process.execPath, [cli, "validate", "--cwd", join(root, "examples", "sample-project")]);
