// Korean words without what grammar adds to them: 쿠폰을, 쿠폰이 and 쿠폰 are one, 지우는, 지울 and 지웠다 too.
//
// There is no dictionary here: which of several cuts is right can not be known (나는: I, or a thing
// that flies), so a word is found by each that is possible. Two words are taken for the same if they
// share one; the pairs of letters beside them (words.ts) find what no cut reaches.

/** Everything a word of Hangul may be found by, itself first. */
export function koreanStems(word: string): readonly string[] {
  const found = new Set([word]);
  for (const noun of nounsIn(word)) found.add(noun);
  for (const verb of verbsIn(word)) found.add(verb);
  return [...found];
}

/** Words that ask, point or help, in the forms in which questions have them. */
// oxfmt-ignore
export const koreanFunctionWords: ReadonlySet<string> = new Set(
  (
    "왜 어떻게 어떤 어느 어디 어디에 어디서 어디에서 어디로 언제 언제부터 언제까지 누가 누구 누구를 누구의 무엇 무엇을 무엇이 무엇으로 무슨 뭐 뭐가 뭐를 뭘 " +
    "얼마나 몇 그 이 저 그것 이것 저것 것 것은 것이 것을 거 게 수 때 때는 때에 등 및 또는 그리고 그런데 하지만 " +
    "우리 우리가 우리는 저희 있나 있나요 있는 있는지 있다 있어 있었나 있지 없나 없나요 없다 " +
    "하나 하나요 하는 하는지 하다 한다 하지 하기로 할 할까 할까요 했나 했나요 했는지 했던 했지 했어 했더라 해 해서 해야 해요 " +
    "되나 되나요 되는 되는지 된다 되지 됐나 됐나요 됐지 됐던 돼 돼요 인가 인가요 인지 입니까 입니다 이다 였나 였지 대해 대한 위해 위한 관한 관해"
  ).split(" "),
);

// --- internal ---

/** What stands behind a noun. `after`: only behind a closed ("c") or an open ("o") syllable. */
// oxfmt-ignore
const particles: readonly (readonly [text: string, after?: "c" | "o"])[] = [
  ["에서부터"], ["으로부터", "c"], ["로부터", "o"], ["이라는", "c"], ["이라고", "c"], ["이라도", "c"], ["에서는"], ["에서도"], ["에게서"], ["까지는"], ["까지도"],
  ["으로는", "c"], ["으로만", "c"], ["으로도", "c"], ["입니다"], ["인가요"], ["이란", "c"], ["이나", "c"], ["이며", "c"], ["이랑", "c"], ["이고", "c"], ["이지", "c"],
  ["에서"], ["에게"], ["에는"], ["에도"], ["에만"], ["으로", "c"], ["로는", "o"], ["로만", "o"], ["로도", "o"], ["까지"], ["부터"], ["처럼"], ["보다"], ["마다"],
  ["만큼"], ["밖에"], ["조차"], ["마저"], ["라도", "o"], ["한테"], ["께서"], ["대로"], ["라는", "o"], ["라고", "o"], ["인가"], ["인지"], ["이다"], ["들은"], ["들이"],
  ["들을"], ["들의"], ["은", "c"], ["는", "o"], ["이", "c"], ["가", "o"], ["을", "c"], ["를", "o"], ["의"], ["에"], ["와", "o"], ["과", "c"], ["로"], ["만"], ["도"],
  ["들"], ["나", "o"], ["랑", "o"], ["며", "o"], ["인"], ["적"], ["성"], ["용"], ["별"],
];

/** Those behind which a single syllable may be left over: the others are as often part of a noun. */
const certain: ReadonlySet<string> = new Set(
  "은 는 을 를 의 에 이 가 로 으로 에서 에는".split(" "),
);

function nounsIn(word: string): string[] {
  const found: string[] = [];
  for (const [text, after] of particles) {
    if (!word.endsWith(text)) continue;
    const rest = word.slice(0, -text.length);
    if (rest === "" || (rest.length === 1 && !certain.has(text))) continue;
    if (after !== undefined && !fits(rest, text, after)) continue;
    found.push(rest);
    // The longest that fits is the one; a second may stand before it: 백업에서만, 손님들에게.
    if (rest.length > 2) found.push(...nounsIn(rest));
    break;
  }
  return found;
}

/** ㄹ takes 로 as an open syllable does. */
function fits(rest: string, text: string, after: "c" | "o"): boolean {
  const { tail } = parted(rest);
  if (text.startsWith("로") && tail === RIEUL) return true;
  return after === (tail === 0 ? "o" : "c");
}

/** Whole syllables that end a verb, longest first; what they leave may still carry a ㄴ, ㄹ, ㅁ, ㅂ, ㅆ. */
// oxfmt-ignore
const endings: readonly string[] = (
  "겠습니다 었습니다 았습니다 습니다 습니까 는다는 다는 는지를 는지 은지 을까요 까요 나요 네요 세요 어요 아요 여요 지요 는데 은데 던데 는가 은가 도록 려고 려면 으려면 으면서 면서 " +
  "다가 었다가 았다가 거나 더라 던지 든지 었다 았다 었던 았던 었고 았고 었는데 어서 아서 여서 어야 아야 여야 어도 아도 으면 으며 으니 으로 기로 기에 기가 기는 기도 기를 " +
  "지만 지는 지도 니다 자마자 느라 는 은 을 던 고 게 지 면 며 니 나 기 다 자 도 야 서 어 아 여 까 죠 네 음"
).split(" ").toSorted((a, b) => b.length - a.length);

/** 하다 and 되다 make a verb of a noun: 해시하기로, 변환됐던. */
const light = /^(..+?)(?:하|한|할|함|합|했|해|되|된|될|됨|됩|됐|돼|시키|시킨|시켜)(.*)$/u;
const behindLight: ReadonlySet<string> = new Set(["", "ㄴ", ...endings]);

function verbsIn(word: string): string[] {
  const found: string[] = [];
  const [, noun, rest] = light.exec(word) ?? [];
  if (noun !== undefined && rest !== undefined && isEnding(rest)) found.push(noun);
  if (word.length < 2) return found;
  // 멈춘, 멈춤, 지울: the whole ending is one consonant.
  if (!particleLike.test(word)) found.push(...bases(word, [0, NIEUN, RIEUL, MIEUM]));
  for (const ending of endings) {
    if (!word.endsWith(ending)) continue;
    const left = word.slice(0, -ending.length);
    // A single syllable is kept only behind an ending that can be nothing else.
    if (left === "" || (left.length === 1 && ending.length === 1)) continue;
    found.push(left, ...bases(left, tailsBefore(ending)));
    break;
  }
  return found;
}

function isEnding(rest: string): boolean {
  return (
    behindLight.has(rest) || endings.some((ending) => rest.endsWith(ending) && rest.length <= 5)
  );
}

const NIEUN = 4;
const RIEUL = 8;
const MIEUM = 16;
const BIEUP = 17;
const SSANGSIOT = 20;
const EU = 18;
const RIEUL_HEAD = 5;
/** Two vowels that were drawn together, and the first of them: 지워 is 지우 + 어. */
const drawn: ReadonlyMap<number, number> = new Map([
  [6, 20], // ㅕ: ㅣ
  [14, 13], // ㅝ: ㅜ
  [9, 8], // ㅘ: ㅗ
  [10, 11], // ㅙ: ㅚ
]);

/** 위약금을 is no verb's form with ㄹ. */
const particleLike = /[은는을를음임인일]$/u;

/** Which consonant of an ending may be left on the syllable before its rest: 합-니다, 한-다, 갔-던. */
function tailsBefore(ending: string): readonly number[] {
  if (/^[어아여으은을음]/u.test(ending)) return [];
  if (ending.startsWith("니")) return [0, BIEUP, SSANGSIOT];
  if (/^[다데]/u.test(ending)) return [0, NIEUN, SSANGSIOT];
  return /^[까게지]/u.test(ending) ? [0, RIEUL, SSANGSIOT] : [0, SSANGSIOT];
}

/** The stem of a verb that lost its endings but for a last consonant or a vowel drawn together. */
function bases(left: string, tails: readonly number[]): string[] {
  const { head, middle, tail } = parted(left);
  if (!tails.includes(tail)) return [];
  const open = tail === 0 ? left : joined(left, head, middle, 0);
  const whole = drawn.has(middle) ? joined(left, head, drawn.get(middle) ?? middle, 0) : undefined;
  const found = [open, ...(whole === undefined ? [] : [whole]), ...irregular(open)];
  // 지워지다, 늦어지다: what happens by itself.
  const by = open.endsWith("지") && open.length > 2 ? open.slice(0, -1) : undefined;
  if (by !== undefined)
    found.push(
      ...(/[어아여]$/u.test(by) && by.length > 1 ? [by.slice(0, -1)] : []),
      ...bases(by, [0]),
    );
  return found.filter((base) => base.length > 1 && base !== left);
}

/** 골라 is 고르 + 아. */
function irregular(open: string): string[] {
  const { head, middle } = parted(open);
  if (open.length < 2 || head !== RIEUL_HEAD || (middle !== 0 && middle !== 4)) return [];
  const before = open.slice(0, -1);
  const { head: first, middle: second, tail } = parted(before);
  if (tail !== RIEUL) return [];
  return [`${joined(before, first, second, 0)}${letter(RIEUL_HEAD, EU, 0)}`];
}

const FIRST = 0xac_00;

/** The last syllable in its parts. */
function parted(word: string): { head: number; middle: number; tail: number } {
  const code = word.charCodeAt(word.length - 1) - FIRST;
  return { head: Math.floor(code / 588), middle: Math.floor((code % 588) / 28), tail: code % 28 };
}

function joined(word: string, head: number, middle: number, tail: number): string {
  return word.slice(0, -1) + letter(head, middle, tail);
}

function letter(head: number, middle: number, tail: number): string {
  return String.fromCharCode(FIRST + head * 588 + middle * 28 + tail);
}
