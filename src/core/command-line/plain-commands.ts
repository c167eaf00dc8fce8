import { shellTokens } from "./tokens.ts";

const PLAIN = /^[\w@%+=:./-]+$/;

/** The simple commands of a shell line that consist of plain words, such as both in `npm run lint && npm test`. */
export function plainCommands(line: string): string[] {
  const found: string[] = [];
  let words: string[] = [];
  let isPlain = true;
  const end = () => {
    if (isPlain && words.length > 0) found.push(words.join(" "));
    words = [];
    isPlain = true;
  };
  for (const token of shellTokens(line)) {
    if (token.is === "operator") end();
    else if (token.is === "word" && token.word.plain && PLAIN.test(token.word.text)) words.push(token.word.text);
    else isPlain = false;
  }
  end();
  return [...new Set(found)];
}
