import type { Tag } from "./tag.ts";
import { settingOf } from "./tag-context.ts";
import type { MessageView } from "./view.ts";
import { aboutTheTag } from "./wording.ts";
import { saysWhenAbroad } from "./wording-abroad.ts";

/** How far after a tag words are searched for. */
const REACH = 400;

/*
 * Text on the tag's line that is not words: HTML and other tags with their content, comments, character
 * references, the short names of emoji, the emoji themselves (some count as letters), keys, and footnote marks.
 */
const NO_WORDS =
  /<(promise|response|blocked)[ \t]{0,4}>[^<]{0,200}<\/\1[ \t]{0,4}>|<!--[^>]{0,200}-->|<\/?[a-z][^<>]{0,100}>|&#?\w{1,10};|:[a-z0-9_+-]{2,40}:|[#*\d]\ufe0f?\u20e3|\p{Extended_Pictographic}|\[\^?\d{1,3}\]/giu;
const WORD = /[\p{L}\p{N}]/u;
/** Three dots leave a sentence open. */
const SENTENCE_END = /(?<!\.)\.(?!\.)(?![\p{L}\p{N}])|[!?。！？｡।؟]/u;
/** Beginnings of text that continues the tag's sentence although its first letter is a capital. */
const PICKS_UP =
  /^(?:I|Ist|Wird|Kommt|Folgt|Es|Est|Sera|È|Será|É|Verrà|Will|Is|Comes|Follows|Would|Means)(?![\p{L}\p{N}])/u;

/**
 * Names the rule if words follow a tag in its own sentence: then the tag is part of a statement, in any language.
 * A sentence ends with its line or with a full stop; a capital letter starts a new one if the tag had no words before
 * it.
 */
export function wordsAfter(view: MessageView, tag: Tag): string | null {
  const { lead, prefix } = settingOf(view, tag);
  const [line = "", below = ""] = view.text.slice(tag.end, tag.end + REACH).split(/\r?\n/, 2);
  const rest = line.replace(NO_WORDS, " ");
  const end = rest.search(SENTENCE_END);
  const sentence = end < 0 ? rest : rest.slice(0, end);
  if (WORD.test(sentence)) return isOwnSentence(sentence, lead) ? about(sentence) : "words-after";
  // Text without a capital may still continue the sentence; a separate report does not.
  const next = end < 0 ? below : rest.slice(end + 1);
  return /^\s*(?:\p{Ll}|\p{Lo})(?![^:：]{0,40}[:：])/u.test(next) && (end >= 0 || prefix.trim() === "")
    ? about(next)
    : null;
}

function isOwnSentence(sentence: string, lead: string): boolean {
  const begins = sentence.slice(sentence.search(WORD));
  const introduced = !WORD.test(lead.replace(NO_WORDS, " ")) || /[:：。！？]\s*$/u.test(lead);
  return introduced && /^[\s\p{P}\p{S}]/u.test(sentence) && /^\p{Lu}/u.test(begins) && !PICKS_UP.test(begins);
}

/** Whether a sentence after the tag says when it will be written, or what it is. */
function about(sentence: string): string | null {
  const rule = aboutTheTag("", ` ${sentence.trim()}`);
  return (rule !== null && LATER.has(rule)) || saysWhenAbroad(sentence.toLowerCase()) ? "words-after" : null;
}

const LATER = new Set(["conditional", "future", "hypothetical", "mention"]);
