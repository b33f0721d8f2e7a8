// The documents of request, in a file of their own: the two run side by side.
import { formatNames, formats } from "../../src/formats/registry.ts";
import { describeDamage } from "./damage-suite.ts";

describeDamage(formatNames.filter((name) => formats[name].path.includes("/orchestrator/")));
