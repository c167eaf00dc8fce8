import { type Found, foundBy } from "./found.ts";

/** Also right after a colour, which ends with a letter, and after `_`, which ends a name. */
const START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\x1b\[[\d;:]{0,20}m))`;

/** Such as a class of CSS, `sk-fading-circle`. */
const WORDS = String.raw`(?:[a-z]{1,10}-){0,6}[a-z]{1,10}(?![\w-])`;

/** Keys by the prefixes that their issuers give them. */
const FORMATS = [
  String.raw`[spr]k-(?!${WORDS})[\w.-]{8,}`,
  String.raw`[spr]k_(?:live|test)_\w{8,}`,
  String.raw`whsec_\w{8,}`,
  String.raw`gh[pousr]_\w{8,}`,
  String.raw`github_pat_\w{8,}`,
  String.raw`gl(?:dt|rt|ft|cbt|ptt|imt|soat)-[\w-]{16,}`,
  String.raw`glpat-[\w.-]{8,}`,
  String.raw`xox[a-z]-[\w.-]{8,}`,
  String.raw`xapp-[\w-]{8,}`,
  String.raw`AIza[\w-]{8,}`,
  "AKIA[A-Z0-9]{8,}|ASIA[A-Z0-9]{12,}",
  "(?:npm|hf|gsk)_[A-Za-z0-9]{16,}",
  "xai-[A-Za-z0-9]{16,}",
  "(?:dop|doo|dor)_v1_[a-f0-9]{16,}",
  String.raw`(?:shpat|shpss|dckr_pat|lin_api)_[\w-]{16,}`,
  String.raw`pypi-[\w-]{16,}`,
  String.raw`ya29\.[\w-]{16,}`,
  String.raw`SG\.[\w-]{8,200}\.[\w-]{8,}`,
  "AGE-SECRET-KEY-1[A-Z0-9]{16,}",
  // Tokens of Telegram's bots.
  String.raw`\d{8,10}:AA[\w-]{30,}`,
  // JSON Web Tokens. Without the second part, it is any JSON in base64.
  String.raw`(?<![_-])eyJ[\w-]{5,1000}\.[\w-]{4}[\w.-]*`,
].join("|");

const KNOWN = new RegExp(`${START}(?:${FORMATS})`, "g");
const BEARER = /\bBearer[ \t]{1,20}(?=[\w.~+/-]{0,80}\d)[\w.~+/=-]{12,}/g;
/** `curl -u user:password`, but not the numbers of a user and a group. */
const CURL = /(?<=\bcurl\b[^\n]{0,200}[ \t](?:-u|--user)[ =]{0,9}["']?)(?!\d{1,9}:\d)[^\s:"']{0,100}:[^\s"']+/g;
const NETRC = /(?<=\blogin[ \t]{1,9}\S{1,100}[ \t]{1,9}password[ \t]{1,9})\S+/g;

/** Secrets that are known by their form. */
export const knownFormats = (text: string): Found[] => [
  ...foundBy(text, KNOWN),
  ...foundBy(text, BEARER).map((found) => ({ ...found, start: found.from + "Bearer ".length })),
  ...[...foundBy(text, CURL), ...foundBy(text, NETRC)].map((found) => ({ ...found, from: contextOf(text, found) })),
  ...privateKeys(text),
];

const CONTEXT = 300;

/** These are only known by what comes before them on their line. */
const contextOf = (text: string, { start }: Found): number => {
  const line = text.slice(Math.max(0, start - CONTEXT), start).lastIndexOf("\n");
  return line === -1 ? Math.max(0, start - CONTEXT) : Math.max(0, start - CONTEXT) + line + 1;
};

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----/g;
/** What the lines of a key consist of, also in diffs, numbered, or with escaped line breaks. */
const BODY = /[\w+/=\s\\:,.→-]*/y;
const LONGEST = 65_536;

/** Every pattern that is searched for in a whole text. */
export const FORMAT_PATTERNS: readonly RegExp[] = [KNOWN, BEARER, CURL, NETRC, BEGIN, END];

/** Blocks of PEM. One that was cut off ends with what cannot be part of it. */
function privateKeys(text: string): Found[] {
  const found: Found[] = [];
  const ends = foundBy(text, END);
  let next = 0;
  for (const { from, end: begun } of foundBy(text, BEGIN)) {
    if (from < (found.at(-1)?.end ?? 0)) continue;
    while ((ends[next]?.from ?? Number.POSITIVE_INFINITY) < begun) next++;
    const end = ends[next]?.end ?? Number.POSITIVE_INFINITY;
    BODY.lastIndex = begun;
    BODY.test(text);
    found.push({ from, start: from, end: end - from <= LONGEST ? end : Math.max(begun, BODY.lastIndex) });
  }
  return found;
}
