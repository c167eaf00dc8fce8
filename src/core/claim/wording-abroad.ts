import { wordPattern } from "./lexicon.ts";

/*
 * A short form of `wording.ts` for nine other languages: a condition at the head of the clause that leads to the tag,
 * or a refusal that governs it. One row per language. Words after the tag need no lexicon: see `trail.ts`.
 */
interface Row {
  /** Words that open a condition; for languages that mark it at the end of the clause, the ending. */
  when: string;
  /** Words that refuse the utterance. */
  not: string;
  /** Verbs of saying. */
  say: string;
}

/** Languages in which a condition precedes the clause it governs. */
const BEFORE: Readonly<Record<string, Row>> = {
  de: {
    when: "wenn|sobald|falls|sofern|solange|bevor|erst (?:wenn|nach|dann|sobald)",
    not: "nicht|noch nicht|kein\\w*|nie|niemals|statt|anstatt|ohne",
    say: "ausgeben|ausgebe|gebe|geben|schreibe\\w*|sende\\w*|melde\\w*|sage\\w*|drucke\\w*|liefer\\w*|antworte\\w*|setze\\w*",
  },
  es: {
    when: "(?:solo |sólo )?(?:cuando|si|una vez que|en cuanto|tan pronto como|hasta que|después de que)",
    not: "no|nunca|sin|en lugar de|en vez de",
    say: "escrib\\w*|imprim\\w*|mostr\\w*|emit\\w*|dir\\w*|decir|pon\\w*|envi\\w*|respond\\w*|dar\\w*|declar\\w*|devolv\\w*",
  },
  fr: {
    when: "(?:seulement )?(?:quand|lorsque|lorsqu'\\w+|si|s'il\\w*|dès que|dès qu'\\w+|une fois que|tant que|après que|aussitôt que)",
    not: "ne|n'\\w+|pas|jamais|sans|au lieu de|plutôt que",
    say: "\\w*écri\\w*|affich\\w*|imprim\\w*|envo\\w*|dir\\w*|mett\\w*|répond\\w*|émet\\w*|donn\\w*|annonc\\w*|renv\\w*",
  },
  it: {
    when: "(?:solo |soltanto )?(?:quando|se|appena|non appena|una volta che|finché|dopo che)",
    not: "non|mai|senza|invece di",
    say: "scriv\\w*|stamp\\w*|emett\\w*|mostr\\w*|dir\\w*|invi\\w*|rispond\\w*|dichiar\\w*|mett\\w*|restitu\\w*",
  },
  pt: {
    when: "(?:só |somente |apenas )?(?:quando|se|assim que|logo que|uma vez que|até que|depois que)",
    not: "não|nunca|sem|em vez de",
    say: "escrev\\w*|imprim\\w*|mostr\\w*|emit\\w*|dir\\w*|dizer|envi\\w*|respond\\w*|declar\\w*|coloc\\w*|devolv\\w*",
  },
  ru: {
    when: "(?:только |лишь )?(?:когда|если|как только|после того как|после того|пока не|до тех пор)",
    not: "не|никогда|без|вместо",
    say: "напи\\w*|пис\\w*|пиш\\w*|выв[оеё]\\w*|отправ\\w*|сказ\\w*|скаж\\w*|печат\\w*|напечат\\w*|сообщ\\w*|отве\\w*|став\\w*|постав\\w*",
  },
};

/** Languages that write without spaces, or put the condition and the refusal at the end of their clauses. */
const BEHIND: readonly (readonly [rule: string, pattern: string])[] = [
  ["conditional", "(?:^|[，,；;：:])(?:只有|只要)?(?:当|如果|若|一旦|等到?|要是|除非|待)[^§]*§"],
  ["conditional", "(?:之后|以后|后|时)[，,、]?(?:我|就|便){0,2}(?:会|将|再|才)[^§]*§|才(?:会|能|可以)[^§]*§"],
  [
    "negated",
    "(?:不|没有?|未|别|勿)[^§，。；：:]{0,6}(?:输出|写|打印|说|发|给出|声明|宣布|标记|返回)[^§，。；]{0,8}§|(?:不|没有?|未)[^§，。；：: ]{0,4} ?§",
  ],
  ["conditional", "(?:たら|れば|ならば?|次第|場合は?|(?:る|た)とき|(?:る|た)時|てから|後に|後で|まで)[^§。]*§"],
  [
    "negated",
    "(?:出力|書|表示|言|宣言|送|返|報告|記述|述べ)[^§。]{0,8}(?:ません|ない)[^§。]{0,6}§|(?:ではな|でな)[^§。]{0,4}§",
  ],
  ["conditional", "(?:[하되으나르지오가이]면|때까지|후에|다음에|뒤에|경우에?)[\\s,][^§]*§"],
  [
    "negated",
    "(?:출력|작성|쓰|표시|말하|선언|보내|적)[^§.]{0,10}(?:않|못|없)[^§.]{0,10}§|(?:안|못) (?:출력|쓰|적|보)[^§.]{0,10}§",
  ],
];

const CLAUSE = "(?:^|[,;:—–(] *|\\b(?:aber|und|y|pero|et|mais|e|ma|mas|и|но|а) )[^\\p{L}\\p{N}§]*";
/** Words of one clause. */
const FEW = "(?: [^\\s,;:.§]+){0,5}?";

const RULES: readonly (readonly [rule: string, pattern: RegExp])[] = [
  ...Object.values(BEFORE).flatMap(({ when, not, say }) => [
    ["conditional", wordPattern(`${CLAUSE}(?:${when})\\b[^§]*§`)] as const,
    ["conditional", wordPattern(`\\b(?:${say})\\b[^§]*\\b(?:${when})\\b[^§]*§`)] as const,
    ["negated", wordPattern(`\\b(?:${not})(?: [^\\s,;:.§]+){0,2} §`)] as const,
    [
      "negated",
      wordPattern(`\\b(?:${not})${FEW} (?:${say})${FEW} ?:? ?§|\\b(?:${say})${FEW} (?:${not})${FEW} ?:? ?§`),
    ] as const,
    // In French the refusal and the verb are one word: "je n'écris pas".
    ["negated", wordPattern(`\\bn'(?:${say})${FEW} ?:? ?§`)] as const,
  ]),
  ...BEHIND.map(([rule, pattern]) => [rule, wordPattern(pattern)] as const),
];

const CONDITIONS = [
  wordPattern(
    `\\b(?:erst|${Object.values(BEFORE)
      .map(({ when }) => when)
      .join("|")})\\b`,
  ),
  /如果|一旦|之后才|才会|のは|たら|れば|てから|(?:하|되|으)면 /u,
];

/** Whether a sentence in a language other than English states a condition. */
export const saysWhenAbroad = (sentence: string): boolean => CONDITIONS.some((found) => found.test(sentence));

/** Names the rule by which a sentence in a language other than English talks about the tag in it, which is "§". */
export function aboutTheTagAbroad(sentence: string): string | null {
  const own = sentence.slice(lastEnd(sentence));
  return RULES.find(([, pattern]) => pattern.test(own))?.[0] ?? null;
}

/** Where the tag's own sentence starts: these marks need no space after them. */
function lastEnd(sentence: string): number {
  const tag = sentence.indexOf("§");
  return Math.max(...[..."。！？｡"].map((mark) => sentence.slice(0, tag).lastIndexOf(mark))) + 1;
}
