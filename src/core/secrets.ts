import { HIDDEN, withoutFound } from "./secrets/found.ts";
import { knownFormats } from "./secrets/known.ts";
import { isSecretFlag, isSecretName, namedValues } from "./secrets/named.ts";
import { inUrls } from "./secrets/urls.ts";
import { isOpenValue } from "./secrets/value.ts";

/**
 * A text without likely secrets: values of flags and variables named like one, keys in known formats, and all of a URL
 * but its host, because a webhook's path is its password. For display, not a protection against malice.
 */
export const hideSecrets = (text: string): string =>
  withoutFound(text, [...inUrls(text, "paths"), ...namedValues(text, { variables: false }), ...knownFormats(text)]);

/**
 * Like the above, for a text that will be run or parsed again: values that name a variable (`$TOKEN`) are not secrets,
 * and in URLs only credentials and webhooks are.
 */
export const hideKeys = (text: string): string => withoutFound(text, keysIn(text));

/** What the above hides. */
export const keysIn = (text: string) => [
  ...inUrls(text, "credentials"),
  ...namedValues(text, { variables: true }),
  ...knownFormats(text),
];

/** Like `hideKeys` for a value whose name is known: all of it is hidden if it is named like a secret. */
export const hideValue = (name: string, value: string): string =>
  isSecretName(name) && value !== "" && !isOpenValue(value, { variables: true }) ? HIDDEN : hideKeys(value);

/** The value of a variable, or null if its name or format suggests a secret. */
export const openValue = (name: string, value: string): string | null =>
  hideSecrets(`${name}=${value}`) === `${name}=${value}` ? value : null;

/** The same for the arguments of a command line, where a flag's value may be a separate argument. */
export const hideSecretWords = (words: readonly string[]): string[] =>
  words.map((word, i) => (isSecretFlag(words[i - 1] ?? "") && !word.startsWith("-") ? HIDDEN : hideSecrets(word)));
