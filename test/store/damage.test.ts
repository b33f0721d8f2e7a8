// The documents of develop, orchestrate and plan, and the settings; see damage-suite.ts.
import { formatNames, formats } from "../../src/formats/registry.ts";
import { describeDamage } from "./damage-suite.ts";

describeDamage(formatNames.filter((name) => !formats[name].path.includes("/orchestrator/")));
