import type { Found } from "./found.ts";
import { valueAt } from "./value.ts";

/** Names of secrets. Tokens that are counted, and tokenizers, are none. */
const WORDS = [
  "(?:api|access|account|private|secret|encryption|signing|auth|master)[-_]?key",
  "token(?!s|i[sz]|[-_]?(?:count|limit|usage|budget))",
  "secret",
  "passw(?:or)?d",
  "passphrase",
  "(?<=[a-z0-9]_)(?:pass|pwd)(?![a-z0-9_-])",
  "credential",
  "authorization",
  "cookie",
].join("|");
const NAME = String.raw`(?:${WORDS})[\w-]{0,40}`;

/** Quotes may be escaped, in JSON that is a text of other JSON. */
const QUOTE = String.raw`(?:\\{0,8}["'])?`;
/** All repetitions are bounded, so that the time is linear in the length of a text. */
const SPACE = String.raw`[ \t]{0,20}`;
const BREAK = String.raw`[ \t]{0,20}(?:\r?\n[ \t]{0,40})?`;
const IS_VALUE = `${QUOTE}value${QUOTE}${SPACE}[=:]${BREAK}`;
/** Also `name: "API_TOKEN", value: "…"`, on one line or two, and a name above: `token: {value: "…"}`. */
const BETWEEN = String.raw`(?:${SPACE}(?:\?{0,2}=(?![=>])|\??:(?!:)=?)${BREAK}(?:\{?${BREAK}${IS_VALUE})?|(?:${SPACE},)?${BREAK}${IS_VALUE})`;
/** In YAML, the value may begin on the next line. */
const BLOCK = String.raw`(?:[|>][+-]?[ \t]{0,20}\r?\n[ \t]{0,40})?`;
/** A comparison, and what is assigned by an arrow: only what is quoted is a secret. */
const COMPARED = String.raw`${SPACE}(?:[=!]==?|=>)${SPACE}(?=\\{0,8}["'\`])`;
/** A flag's value may also be the next word or the next item of a list. */
const FLAG = String.raw`(?=[ \t,])(?<=(?<![\w-])--?[\w-]{0,100}${QUOTE})(?:${SPACE},${BREAK}|[ \t]{1,20})(?!(?:\\{0,8}["'])?-)`;

export const NAMED = new RegExp(`${NAME}${QUOTE}(?:${BETWEEN}${BLOCK}|${COMPARED}|(?<flag>${FLAG}))`, "gi");
const IS_NAME = new RegExp(NAME, "i");
const IS_FLAG = new RegExp(`^--?[\\w-]{0,40}?${NAME}$`, "i");
const UNFINISHED = new RegExp(`${NAME}${QUOTE}(?:${BETWEEN}${BLOCK}|(?:${SPACE},)?${BREAK})$`, "i");
const LONGEST_NAME = 300;

/** Whether the value of a variable or key with this name is a secret. */
export const isSecretName = (name: string): boolean => IS_NAME.test(name.slice(0, LONGEST_NAME));

/** Whether the word after this one is a secret. */
export const isSecretFlag = (word: string): boolean => word.length <= LONGEST_NAME && IS_FLAG.test(word);

/** Where a name at the end of a text begins whose value may follow; null if there is none. */
export function unfinishedName(text: string): number | null {
  const from = Math.max(0, text.length - LONGEST_NAME);
  const found = UNFINISHED.exec(text.slice(from));
  return found ? from + found.index : null;
}

interface Exempt {
  /** Whether values that name a variable, such as `$TOKEN`, are left. */
  variables: boolean;
}

/** Values of flags, variables and keys that are named like a secret. */
export function namedValues(text: string, { variables }: Exempt): Found[] {
  const found: Found[] = [];
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match; match = NAMED.exec(text)) {
    const at = NAMED.lastIndex;
    const isFlag = match.groups?.flag !== undefined;
    const value = valueAt(text, at, { variables, isFlag, isCookie: /^cookie/i.test(match[0]) });
    if (!value) continue;
    found.push({ from: match.index, ...value });
    NAMED.lastIndex = Math.max(at, value.end);
  }
  return found;
}
