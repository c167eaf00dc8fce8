import type { Command, Option } from "commander";

/** An option of a command line, and where its value stands. */
interface TypedOption {
  /** Its long name. */
  name: string;
  value: string;
  /** The place of the value; an attached one (`--verify=npm`) has the place of its option. */
  at: number;
  attached: boolean;
}

/** A word that is neither an option nor the value of one. */
export interface Operand {
  text: string;
  at: number;
  /** The option with a value that this word, or the operands directly before it, follow. */
  after: TypedOption | null;
}

interface TypedWords {
  operands: Operand[];
  /** The places of options that the command does not have. */
  unknown: number[];
  /** The place of a `--` that ends the command's own words. */
  end: number | null;
}

/** Reads the words of a command as commander does, and keeps their places. */
export function readTyped(words: readonly string[], { options }: Command): TypedWords {
  const read: TypedWords = { operands: [], unknown: [], end: null };
  let after: TypedOption | null = null;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") return { ...read, end: at };
    if (!word.startsWith("-") || word === "-") {
      read.operands.push({ text: word, at, after });
      continue;
    }
    const found = optionIn(word, options);
    if (!found) read.unknown.push(at);
    after = found?.option.required ? valueAfter(found, words, at) : null;
    if (after && !after.attached) at = after.at;
  }
  return read;
}

interface Found {
  option: Option;
  attached: string | null;
}

const valueAfter = ({ option, attached }: Found, words: readonly string[], at: number): TypedOption => ({
  name: option.long ?? option.flags,
  value: attached ?? words[at + 1] ?? "",
  at: attached === null ? at + 1 : at,
  attached: attached !== null,
});

/** The option that a word names: the last one of `-qm`, as only that can have a value. */
function optionIn(word: string, options: readonly Option[]): Found | null {
  if (word.startsWith("--")) {
    const [name = "", ...value] = word.split("=");
    const option = options.find(({ long }) => long === name);
    return option ? { option, attached: value.length > 0 ? value.join("=") : null } : null;
  }
  const letters = [...word.slice(1)];
  for (const [i, letter] of letters.entries()) {
    const option = options.find(({ short }) => short === `-${letter}`);
    if (!option) return null;
    const rest = letters.slice(i + 1).join("");
    if (option.required || rest === "") return { option, attached: rest === "" ? null : rest };
  }
  return null;
}
