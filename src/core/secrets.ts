const HIDDEN = "***";
const NAME = String.raw`[\w-]{0,40}(?:api[-_]?key|access[-_]?key|token(?!s)|secret|passw(?:or)?d|passphrase|credential|authorization|cookie)[\w-]{0,40}`;

const URLS = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)([^\s"'`<>\\]+)/gi;
const FLAGS = new RegExp(String.raw`(--?${NAME}["']?(?:\s*[=:,]\s*|\s+)["']?)(?!-)[^\s"'\],]+`, "gi");
const ASSIGNED = new RegExp(String.raw`(\b${NAME}["']?\s*[=:]\s*["']?(?:(?:bearer|basic|token)\s+)?)[^\s"']+`, "gi");
/** Also right after a colour, which ends with a letter. */
const START = String.raw`(?:\b|(?<=\x1b\[[\d;:]{0,20}m))`;
const KNOWN = new RegExp(
  String.raw`${START}(?:[spr]k-|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|AIza|AKIA|eyJ)[\w.-]{8,}`,
  "g",
);
const SECRET_FLAG = new RegExp(`^--?${NAME}$`, "i");

/**
 * A text without likely secrets: values of flags and variables named like one, keys in known formats, and all of a URL
 * but its host, because a webhook's path is its password. For display, not a protection against malice.
 */
export function hideSecrets(text: string): string {
  return text
    .replace(URLS, (_all, scheme: string, rest: string) => scheme + hostOf(rest))
    .replace(FLAGS, `$1${HIDDEN}`)
    .replace(ASSIGNED, `$1${HIDDEN}`)
    .replace(KNOWN, HIDDEN);
}

/**
 * Like the above, for a text that will be run or parsed again: values that name a variable (`$TOKEN`) are not secrets,
 * and in URLs only credentials and webhooks are.
 */
export function hideKeys(text: string): string {
  const unlessVariable = (all: string, before: string) =>
    all.startsWith("$", before.length) ? all : `${before}${HIDDEN}`;
  return text
    .replace(URLS, (all, scheme: string, rest: string) =>
      /hook/i.test(rest) ? scheme + hostOf(rest) : all.replace(/\/\/[^/?#@]*@/, `//${HIDDEN}@`),
    )
    .replace(FLAGS, unlessVariable)
    .replace(ASSIGNED, unlessVariable)
    .replace(KNOWN, HIDDEN);
}

/** The value of a variable, or null if its name or format suggests a secret. */
export const openValue = (name: string, value: string): string | null =>
  hideSecrets(`${name}=${value}`) === `${name}=${value}` ? value : null;

/** The same for the arguments of a command line, where a flag's value may be a separate argument. */
export const hideSecretWords = (words: readonly string[]): string[] =>
  words.map((word, i) => (SECRET_FLAG.test(words[i - 1] ?? "") && !word.startsWith("-") ? HIDDEN : hideSecrets(word)));

function hostOf(rest: string): string {
  const end = rest.search(/[/?#]/);
  const [authority, path] = end === -1 ? [rest, ""] : [rest.slice(0, end), rest.slice(end)];
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  return (host === authority ? host : `${HIDDEN}@${host}`) + (path.length > 1 ? `/${HIDDEN}` : path);
}
