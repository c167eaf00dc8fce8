import { wordPattern } from "./lexicon.ts";

/** Numbers in words, starting with one; several names of the same number are separated by bars. */
const COUNTED = [
  "one two three four five six seven eight nine ten eleven twelve",
  "ein|eine|einer|eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
  "uno|una|un dos tres cuatro cinco seis siete ocho nueve diez once doce",
  "une|un deux trois quatre cinq six sept huit neuf dix onze douze",
  "uno|una due tre quattro cinque sei sette otto nove dieci undici dodici",
  "um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze",
  "один|одна|одного два|две|двух три|трёх четыре пять шесть семь восемь девять десять одиннадцать двенадцать|двенадцати",
  "一 二|两|二 三 四 五 六 七 八 九 十 十一 十二",
  "하나|한 둘|두 셋|세 넷|네 다섯 여섯 일곱 여덟 아홉 열 열한|열하나 열두|열둘",
];

const VALUES: ReadonlyMap<string, number> = new Map(
  COUNTED.flatMap((row) =>
    row.split(" ").flatMap((names, i) => names.split("|").map((name) => [name, i + 1] as const)),
  ),
);
const NUMBER = `(\\d{1,6}|${[...VALUES.keys()].sort((a, b) => b.length - a.length).join("|")})`;
const numberIn = (written: string): number => VALUES.get(written) ?? Number(written);

/** "11 of 12", "11/12", "11 tests sur 12"; "12件中11件", where the whole comes first. */
const OF = `(?: ?\\/ ?| of | out of | von | aus | de | dos | das | delle | dei | su | sur | из )`;
const SHARES = [
  wordPattern(`\\b${NUMBER}(?: [^\\s\\d,;]+)?${OF}(?:(?:the|den|las|los|les|as|os|all|i|le|our) )?${NUMBER}\\b`),
  wordPattern(
    `${NUMBER} ?(?:个|件|개|項目|项|つ|条)?[^\\d，。、,;]{0,10}?(?:中|중|里) ?(?:有|의)?[^\\d，。、,;]{0,6}?${NUMBER}`,
  ),
  wordPattern(`${NUMBER} ?个[^\\d，。、,;]{0,6}?(?:通过|成功|完成)了? ?${NUMBER} ?个`),
];

/** Where a clause counts fewer than all of something; -1 if it has no count, or counts all. */
export function partOfWhole(clause: string): number {
  for (const [i, share] of SHARES.entries()) {
    const found = share.exec(clause);
    if (!found) continue;
    const [first, second] = [numberIn(found[1] ?? ""), numberIn(found[2] ?? "")];
    const [part, whole] = i === 0 ? [first, second] : [second, first];
    if (part < whole) return found.index;
  }
  return -1;
}

/** A number that is not zero, in digits or words, in any language. */
export const SOME = `(?:(?<![\\d.,])[1-9]\\d{0,5}|\\b(?:${[...VALUES.keys()].join("|")})\\b|[一两二三四五六七八九十几]|[한두세네])`;
