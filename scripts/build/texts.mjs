// A plugin for rolldown: puts the tables of sentences into the program so that only what is said is
// loaded. As one table, in both languages, they took a third of a hook's time.
import { join } from "node:path";
import { importTs } from "../run-ts.mjs";

/** A file for each language and each first word of a key. */
export async function lazyTexts(root) {
  const file = join(root, "src", "core", "all-texts.ts");
  const { texts } = await importTs(file);
  const groups = [...new Set(Object.keys(texts).map((key) => key.split(".", 1)[0]))];
  return {
    name: "lazy-texts",
    load: { filter: { id: file }, handler: () => lookup(groups) },
    generateBundle() {
      for (const language of ["en", "ko"])
        for (const group of groups)
          this.emitFile({
            type: "asset",
            fileName: `chunks/texts-${language}-${group}.cjs`,
            source: `module.exports = ${JSON.stringify(tableOf(texts, group, language))};\n`,
          });
    },
  };
}

// --- internal ---

/** What stands in the place of src/core/all-texts.ts, with the same interface. */
function lookup(groups) {
  return `
const groups = new Set(${JSON.stringify(groups)});
function tableOf(key, language) {
  const group = key.split(".", 1)[0];
  return groups.has(group) ? require("./texts-" + language + "-" + group + ".cjs") : {};
}
export function textOf(key, language) {
  return tableOf(key, language)[key];
}
export function isMessageKey(key) {
  return Object.hasOwn(tableOf(key, "en"), key);
}
`;
}

function tableOf(texts, group, language) {
  const keys = Object.keys(texts).filter((key) => key.split(".", 1)[0] === group);
  return Object.fromEntries(keys.map((key) => [key, texts[key][language]]));
}
