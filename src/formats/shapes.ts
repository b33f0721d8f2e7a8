// Building blocks of the schemas. Only the schema functions call these, and only the build calls
// those (scripts/generate.ts): the bundler drops both, and zod with them.
import { z } from "zod";
import { type PatternName, patterns } from "./patterns.ts";

/** A text of a named pattern. */
export const text = (name: PatternName) => z.string().regex(new RegExp(patterns[name], "u"));

/** A text that is not blank. */
export const filled = () => text("filled");
/** What a shell is given: no program can be given a NUL. */
export const command = () => text("command");
export const time = () => text("time");
export const count = () => z.int().min(0);
export const texts = () => z.array(z.string());

/** An open map: keys and values are the owner's affair. */
export const anything = () => z.record(z.string(), z.unknown());
