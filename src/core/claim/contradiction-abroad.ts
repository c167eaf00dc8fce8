import { wordPattern } from "./lexicon.ts";
import { partOfWhole, SOME } from "./share.ts";
import { TONGUES, type Tongue } from "./tongues.ts";

/** One rule of one language. */
interface Rule {
  name: string;
  when: RegExp;
  /** Must occur in the same clause. */
  near?: RegExp;
  /** Applies to the whole clause including commas: an exception to "all" often follows a comma. */
  whole?: true;
}

interface Reader extends Pick<Compiled, "still" | "none" | "gone" | "made"> {
  rules: readonly Rule[];
}

type Compiled = Record<keyof Tongue, RegExp>;

const ZERO = "(?<![\\d.,])0(?![\\d.,])";

function readerOf(tongue: Tongue): Reader {
  const { test, fail, pass, still, none, except } = tongue;
  const rule = (name: string, when: string): Rule => ({ name, when: wordPattern(when) });
  return {
    still: wordPattern(still),
    none: wordPattern(`${none}|${ZERO}`),
    gone: wordPattern(tongue.gone),
    made: wordPattern(tongue.made),
    rules: [
      { ...rule("tests-not-run", tongue.unrun), whole: true },
      { ...rule("tests-fail", fail), near: wordPattern(`${test}|${still}|${SOME}.{0,15}?${fail}`) },
      rule("unfinished", tongue.unfinished),
      rule("remaining-work", tongue.remaining),
      rule("stub", tongue.stub),
      rule("not-all", `${tongue.most}.{0,30}?${test}.{0,40}?${pass}|${pass}.{0,30}?${tongue.most}.{0,20}?${test}`),
      { ...rule("exception", `${except}.{0,80}?${pass}|${pass}.{0,80}?${except}`), whole: true },
    ],
  };
}

const readers = new Map<string, Reader>();

/** The readers for the scripts of a clause, each created on first use: most are never needed. */
const readersFor = (clause: string): Reader[] =>
  Object.entries(TONGUES)
    .filter(([name]) => (SCRIPTS[name] ?? LATIN).test(clause))
    .map(([name, tongue]) => {
      const reader = readers.get(name) ?? readerOf(tongue);
      readers.set(name, reader);
      return reader;
    });

const LATIN = /[a-z]{2}/;
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ru: /[\u0400-\u04ff]/,
  zh: /[\u4e00-\u9fff]/,
  ja: /[\u3040-\u30ff]/,
  ko: /[\uac00-\ud7af]/,
};

type Slot = "pass" | "fail" | "gone" | "none";
let joint: Readonly<Record<Slot, RegExp>> | null = null;

/** The words of all languages together. */
function anyTongue() {
  const any = (slot: Slot) =>
    wordPattern(
      Object.values(TONGUES)
        .map((tongue) => tongue[slot])
        .join("|"),
    );
  joint ??= { pass: any("pass"), fail: any("fail"), gone: any("gone"), none: any("none") };
  return joint;
}

/** Whether a clause says in any language that a trouble is over or absent: "TODO" is the same word in all of them. */
export const isGoneAbroad = (clause: string, at: number): boolean =>
  anyTongue().gone.test(clause) || anyTongue().none.test(clause.slice(0, at));

/** Where a clause ends inside a sentence: these languages put a comma, or a word for "but", before the next one. */
const INNER_END = wordPattern(
  `[,，、;；](?!\\d)|\\s(?=(?:aber|jedoch|doch|allerdings|pero|aunque|mais|cependant|toutefois|ma|però|tuttavia|mas|porém|embora|но|однако|хотя)\\b)|\\s(?=(?:und|y|et|e|и) ${SOME})|(?=但|不过|然而)|(?<=지만)`,
);

/** Says that something is true of everything named before. */
const OF_ALL = wordPattern(
  "\\b(?:beides?|alle|sie|ambas|ambos|todas?|todos|las dos|los dos|les deux|tous|toutes|ils|elles|entrambi|tutti|tutte|os dois|as duas|оба|обе|все|теперь)\\b|都|两个|均|全部|どちらも|両方|すべて|全て|今は|둘 다|모두|이제",
);

/** A clause, what follows it in its sentence, and the sentence after that. */
interface Said {
  text: string;
  rest: string;
  next: string;
}

/** The rule of a language other than English by which a clause contradicts a claim. */
export function speaksAbroad({ text, rest, next }: Said): string | null {
  const whole = plain(text);
  if (!/\p{L}/u.test(whole) || (OF_ALL.test(next) && anyTongue().gone.test(next))) return null;
  const parts = whole.split(INNER_END);
  for (const reader of readersFor(whole)) {
    const found = reader.rules.find((rule) =>
      rule.whole
        ? speaks(reader, rule, whole, rest)
        : parts.some((part, i) => speaks(reader, rule, part, [...parts.slice(i + 1), rest].join(", "))),
    );
    if (found) return found.name;
  }
  return isPartial(whole) && !anyTongue().gone.test(rest) ? "not-all" : null;
}

function speaks(
  { none, gone, still, made }: Reader,
  { name, when, near, whole }: Rule,
  part: string,
  rest: string,
): boolean {
  const found = when.exec(part);
  if (!found || (near && !near.test(part))) return false;
  const [before, after] = [part.slice(0, found.index), part.slice(found.index)];
  if (none.test(before) || (name === "tests-fail" && made.test(part))) return false;
  if (isGone(gone, whole ? after.slice(found[0].length) : after) || isGone(gone, plain(rest))) return false;
  return still.test(part) || !isGone(gone, before);
}

const NOT = wordPattern("\\b(?:nicht|no|pas|non|não|не|ne)(?: \\w+){0,2} $");

/** A trouble that is "not yet fixed" is not over. */
function isGone(gone: RegExp, text: string): boolean {
  if (!gone.test(text)) return false;
  for (const found of text.matchAll(new RegExp(gone, "gu"))) if (!NOT.test(text.slice(0, found.index))) return true;
  return false;
}

function isPartial(clause: string): boolean {
  const { pass, fail } = anyTongue();
  return !PLACE.test(clause) && partOfWhole(clause) >= 0 && pass.test(clause) && !fail.test(clause);
}

/** Things that are numbered, not counted. English shares have their own rule. */
const PLACE = wordPattern(
  "\\b(?:of|seite|schritt|página|paso|étape|page|pagina|passo|phase|fase|step|iteration|iteración|iterazione|iteração|страниц\\w*|шаг\\w*)\\b|ページ|步骤|页|단계|페이지",
);

/** Lower case, plain quotes and digits, no markup. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[*#>|_`]/g, " ");
