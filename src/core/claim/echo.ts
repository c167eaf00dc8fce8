import { OPEN_BOX } from "./checklist.ts";

const MANY_WORDS = 3;

/** Words in order, without white space, markup and case: what is left when two texts say the same. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}

function count(words: string): number {
  return words.trim() === "" ? 0 : words.trim().split(" ").length;
}

/** Knows the prompt that was sent, so that its sentences are recognised when they come back. */
export interface EchoDetector {
  /** The sentence around a tag is in the prompt word for word, tag included. */
  repeats(lead: string, tag: string, trail: string): boolean;
  /** A bare tag came back together with the prompt's own lines around it: both, or the one that announces it. */
  repeatsAround(above: string, tag: string, below: string): boolean;
  /** The prompt has an open item of these words on a checklist of its own. */
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
      // The line above alone may be a closing formula the prompt asked for; an announcement is never that.
      if (/:[\s*_`]*$/.test(above)) return has(above + tag);
      return count(wordsOf(below)) > 0 && has(`${above} ${tag} ${below}`);
    },
    repeatsItem: (item) => listed && count(wordsOf(item)) > 0 && has(item),
  };
}
