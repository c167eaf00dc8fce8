/** Words in front of the number of a task. */
const COUNTED =
  /^(user story|story|task|feature|issue|ticket|step)[ \t]*#?(\d{1,6}(?:\.\d{1,6}){0,3})?(?:[ \t]*[:.)–—-]+[ \t]*|[ \t]+|$)/i;
const KNOWN_ID =
  /^(?:US|TASK|STORY|FEAT|FEATURE|BUG|REQ|ISSUE|EPIC)-\d{1,6}(?:\.\d{1,6}){0,3}(?![\w-])|^T\d{3,6}(?![\w-])/i;
/** Anything of letters and a number: `AUTH-12`, `task_3`, `T1.2`. */
const ANY_ID = /^[A-Za-z][A-Za-z0-9]{0,20}(?:[-_][A-Za-z0-9]{1,20}){0,4}(?:\.\d{1,6}){0,3}/;
const SEPARATOR = /^[ \t]*[:–—][ \t]*|^[ \t]*[.)][ \t]+|^[ \t]+-+[ \t]+/;

export interface Named {
  id: string | null;
  title: string;
}

/** Splits a text into its id and its title without bold, code and strikethrough marks. */
export function namedBy(text: string): Named {
  const wrapped = /^(?:\*\*|__|`)?\[?(?:\*\*|__|`)?([A-Za-z][\w.-]{0,63})(?:\*\*|__|`)?(\])?(?:\*\*|__|`)?/.exec(text);
  const inner = wrapped?.[1]?.replace(/[.-]+$/, "") ?? "";
  if (wrapped && isBracketed(wrapped[0]) && isIdLike(inner)) {
    return { id: inner, title: unmarked(afterSeparator(text.slice(wrapped[0].length))) };
  }
  const plain = unmarked(text);
  const known = KNOWN_ID.exec(plain)?.[0];
  if (known !== undefined) return { id: known, title: afterSeparator(plain.slice(known.length)) };
  const any = ANY_ID.exec(plain)?.[0];
  const rest = any === undefined ? "" : plain.slice(any.length);
  if (any === undefined || !isIdLike(any) || !SEPARATOR.test(rest)) return { id: null, title: plain };
  return { id: any, title: afterSeparator(rest) };
}

const isBracketed = (text: string): boolean => /^(?:\*\*|__|`)?\[.*\]|^(?:\*\*|__|`).*(?:\*\*|__|`)$/.test(text);

/** Has a number and is not a plain word such as `Phase2` or `utf8`. */
const isIdLike = (word: string): boolean => /[-_]\w*\d|^[A-Z]{1,10}\d/.test(word) && ANY_ID.exec(word)?.[0] === word;

const afterSeparator = (text: string): string => text.replace(SEPARATOR, "").trim();

/** The id and title of a heading that starts with an id, or words such as `Task 3:`. Null if it is not a task. */
export function storyHeading(text: string): Named | null {
  const plain = unmarked(text.replace(/^(?:\[[ xX]\]|✅|☑️?|✔️?)[ \t]*/u, ""));
  const named = namedBy(plain);
  if (named.id !== null) return named;
  const [counted, word = "", number] = COUNTED.exec(plain) ?? [];
  if (counted === undefined) return null;
  const title = plain.slice(counted.length).trim();
  if (number !== undefined) return { id: `${word.replace(/^user /i, "").toUpperCase()}-${number}`, title };
  return /[:–—-]/.test(counted) && title !== "" ? { id: null, title } : null;
}

export const isTicked = (text: string): boolean => /^(?:\[[xX]\]|✅|☑|✔|~~)|(?:✅|☑️?|✔️?|\[[xX]\])$/u.test(text.trim());

export function unmarked(text: string): string {
  return text
    .replace(/^~~(.*)~~$/, "$1")
    .replace(/\*\*|__(?=\S)|(?<=\S)__/g, "")
    .trim();
}

export interface Labelled {
  label: "criteria" | "priority" | "dependsOn" | "status" | "description" | "assignee" | "other";
  rest: string;
}

const LABELS: readonly [RegExp, Labelled["label"]][] = [
  [/^(?:acceptance(?: criteria)?|criteria|success criteria|definition of done|done when)$/, "criteria"],
  [/^priority$/, "priority"],
  [/^(?:depends on|dependency|dependencies|blocked by)$/, "dependsOn"],
  [/^status$/, "status"],
  [/^(?:description|story|user story)$/, "description"],
  [/^(?:assignee|assigned to|owner)$/, "assignee"],
];

/** Reads a label such as `**Priority:** 1`. A heading or bold words alone on a line need no colon. */
export function labelled(text: string, kind: "heading" | "item" | "text"): Labelled | null {
  const bare = text.replace(/\*\*|__/g, "");
  const [, word, rest] = /^([A-Za-z][A-Za-z ]{1,30}?)[ \t]*:(?:[ \t]+(.*))?$/.exec(bare) ?? [];
  const alone = kind === "heading" || /^(?:\*\*|__)[^*_]+(?:\*\*|__)$/.test(text) ? bare : null;
  const name = (word ?? alone)?.trim().replace(/:$/, "").toLowerCase();
  if (name === undefined) return null;
  const label = LABELS.find(([pattern]) => pattern.test(name))?.[1];
  if (label !== undefined) return { label, rest: rest ?? "" };
  return alone === null ? null : { label: "other", rest: "" };
}

/** The ids in a list such as `US-1, US-2 and Task 3`; `none` means none. */
export const idsIn = (text: string): string[] =>
  text
    .split(/[,;&]|\band\b/)
    .map((part) => part.replace(/[`*[\]()]/g, "").trim())
    .filter((part) => part !== "" && !/^(?:none|nothing|n\/a|-|–|—)\.?$/i.test(part));
