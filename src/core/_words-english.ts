// English words cut down to what their forms have in common: migrate, migrates, migrated, migrating
// and migration are one. Light on purpose: a stem need not be a word, only the same on both sides.

/** A stem for a word in small letters. */
export function englishStem(word: string): string {
  const base = irregular.get(word) ?? word;
  if (base.length < 4 || /\d/.test(base)) return base;
  return finished(withoutSuffix(withoutEnding(base)));
}

/** Words that say how a sentence is built, not what it is about. */
export const englishFunctionWords: ReadonlySet<string> = new Set(
  (
    "a an the and or of to in on at by for from with without as is are was were be been being do does did done has have had " +
    "having may might can could will would shall should must it its this that these those there here we us our ours they them " +
    "their he she his her you your i me my who whom whose which what when where why how not no nor than then too so if but " +
    "about after before between while during into onto over under again also any some each both all very just only own same " +
    "such other others out up off down please tell show because until"
  ).split(" "),
);

// --- internal ---

/** The forms that no rule reaches, of the verbs and nouns that work is told with. */
// oxfmt-ignore
const irregular: ReadonlyMap<string, string> = new Map(
  [
    "begin began begun", "break broke broken", "bring brought", "build built", "buy bought", "catch caught", "choose chose chosen",
    "come came", "deal dealt", "draw drew drawn", "drive drove driven", "fall fell fallen", "feel felt", "find found",
    "forget forgot forgotten", "freeze froze frozen", "get got gotten", "give gave given", "go went gone", "grow grew grown",
    "hang hung", "hide hid hidden", "hold held", "keep kept", "know knew known", "lead led", "leave left", "lose lost", "make made",
    "mean meant", "meet met", "overwrite overwrote overwritten", "pay paid", "rebuild rebuilt", "rewrite rewrote rewritten",
    "rise rose risen", "run ran", "say said", "see saw seen", "sell sold", "send sent", "show shown", "shrink shrank shrunk",
    "sleep slept", "speak spoke spoken", "spend spent", "stand stood", "steal stole stolen", "stick stuck", "take took taken",
    "tell told", "think thought", "throw threw thrown", "understand understood", "wake woke woken", "win won", "write wrote written",
    "index indices", "child children", "person people", "key keys", "datum data", "use used uses using", "die died dying",
  ].flatMap((line) => {
    const [first = "", ...forms] = line.split(" ");
    return forms.map((form): [string, string] => [form, first]);
  }),
);

const vowel = /[aeiouy]/;

/** Plural, past, -ing. */
function withoutEnding(word: string): string {
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return withoutEnding(word.slice(0, -1));
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  for (const ending of ["ing", "ed"]) {
    if (!word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    if (rest.length >= 3 && vowel.test(rest)) return rest;
  }
  return word;
}

/** What makes a noun of a verb, or an adverb of an adjective: the first that leaves enough. */
// oxfmt-ignore
const suffixes: readonly (readonly [suffix: string, least: number, kept?: string])[] = [
  ["ization", 3, "iz"], ["isation", 3, "is"], ["ability", 4], ["ously", 4], ["tion", 4, "t"], ["sion", 4, "s"], ["ment", 3],
  ["ness", 4], ["able", 4], ["ible", 4], ["less", 4], ["ful", 4], ["ly", 4], ["er", 4], ["or", 5],
];

function withoutSuffix(word: string): string {
  for (const [suffix, least, kept = ""] of suffixes) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length) + kept;
    if (rest.length >= least && vowel.test(rest)) return rest;
  }
  return word;
}

/** A silent e, a doubled consonant, -ate and a final y differ between forms of one word. */
function finished(word: string): string {
  let rest = word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
  if (rest.length >= 6 && rest.endsWith("at")) rest = rest.slice(0, -2);
  if (rest.length > 3 && /([b-df-hj-np-tv-z])\1$/.test(rest)) rest = rest.slice(0, -1);
  return rest.endsWith("y") ? `${rest.slice(0, -1)}i` : rest;
}
