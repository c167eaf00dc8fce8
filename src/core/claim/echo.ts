import { OPEN_BOX } from "./checklist.ts";

const MANY_WORDS = 3;

/** The words in order, without white space, markup and case, to compare texts. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

function count(words: string): number {
  return words.trim() === "" ? 0 : words.trim().split(" ").length;
}

/** Recognises sentences of the prompt in the agent's output. */
export interface EchoDetector {
  /** The sentence around a tag is in the prompt word for word, tag included. */
  repeats(lead: string, tag: string, trail: string): boolean;
  /** A bare tag is repeated with the prompt's own lines around it: both, or the one that announces it. */
  repeatsAround(above: string, tag: string, below: string): boolean;
  /** The prompt has this tag with this text. */
  repeatsTag(tag: string): boolean;
  /** The prompt itself has a checklist with an open item of these words. */
  repeatsItem(item: string): boolean;
}

/** An echo detector for one prompt; without a prompt nothing is an echo. */
export function echoDetector(prompt: string | undefined): EchoDetector {
  const sent = prompt ? wordsOf(prompt) : "";
  const listed = OPEN_BOX.test(prompt ?? "");
  const has = (text: string) => sent.includes(wordsOf(text));
  return {
    repeats: (lead, tag, trail) => sent !== "" && count(wordsOf(lead + trail)) >= MANY_WORDS && has(lead + tag + trail),
    repeatsAround(above, tag, below) {
      if (sent === "" || count(wordsOf(above)) < 2) return false;
      // The line above alone may be a closing formula that the prompt asked for; an announcement never is.
      if (/:[\s*_`]*$/.test(above)) return has(above + tag);
      return count(wordsOf(below)) > 0 && has(`${above} ${tag} ${below}`);
    },
    repeatsTag: (tag) => sent !== "" && has(tag),
    repeatsItem: (item) => listed && count(wordsOf(item)) > 0 && has(item),
  };
}
