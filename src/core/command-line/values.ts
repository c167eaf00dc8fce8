import { parentOf, resolved } from "./paths.ts";
import type { Part, Word } from "./words.ts";

/** What is known about the expansions in a command. */
export interface Known {
  /** The folder it runs in. */
  folder: string | null;
  /** The script that contains it. */
  script: string | null;
  /** The root of the repository. */
  top: string | null;
  /** Every value that the text gives to each variable, wherever it does. */
  values: ReadonlyMap<string, readonly Word[]>;
}

/** A text that a word may stand for. */
export interface Meaning {
  text: string;
  /** Null if the text is exact; otherwise a glob that matches it. */
  glob: string | null;
  /** Whether a folder that only the shell knows comes before it. */
  anywhere: boolean;
}

export const exactText = (text: string): Meaning => ({ text, glob: null, anywhere: false });

type Piece = { is: "text" | "glob"; text: string } | { is: "unknown" };

const MOST_MEANINGS = 50;
const MOST_DEEP = 3;
/** Of a variable in the value of another one. */
const MOST_INNER = 4;

/** The texts that a word may stand for; what only the shell knows matches anything. */
export function meaningsOf(word: Word, known: Known): Meaning[] {
  return pieceLists(word.parts, known, 0).flatMap((pieces) => {
    const meaning = meaningOf(pieces);
    return meaning === null ? [] : [meaning];
  });
}

/** The text that a word stands for; null if there are several or only the shell knows. */
export function exactly(word: Word, known: Known): string | null {
  const [meaning, ...more] = meaningsOf(word, known);
  return meaning && more.length === 0 && meaning.glob === null && !meaning.anywhere ? meaning.text : null;
}

function pieceLists(parts: readonly Part[], known: Known, deep: number): Piece[][] {
  let lists: Piece[][] = [[]];
  for (const part of parts) {
    const choices = choicesOf(part, known, deep);
    lists = lists.flatMap((list) => choices.map((choice) => [...list, ...choice])).slice(0, MOST_MEANINGS);
  }
  return lists;
}

function choicesOf(part: Part, known: Known, deep: number): Piece[][] {
  if (part.is === "text") return [[{ is: isGlob(part) ? "glob" : "text", text: part.text }]];
  if (part.is === "unknown") return [[{ is: "unknown" }]];
  if (part.is === "output") {
    const text = folderSaid(part.command, known);
    return [[text === null ? { is: "unknown" } : { is: "text", text }]];
  }
  const own = ownVariable(part.name, known);
  if (own !== null) return [[{ is: "text", text: own }]];
  const choices = deep < MOST_DEEP ? valuesOf(part.name, known, deep) : [];
  if (part.otherwise !== "") choices.push([{ is: "text", text: part.otherwise }]);
  return choices.length > 0 ? choices.slice(0, MOST_MEANINGS) : [[{ is: "unknown" }]];
}

function valuesOf(name: string, known: Known, deep: number): Piece[][] {
  const all = known.values.get(name) ?? [];
  const found: Piece[][] = [];
  for (const word of deep === 0 ? all : all.slice(0, MOST_INNER)) {
    if (found.length >= MOST_MEANINGS) break;
    found.push(...pieceLists(word.parts, known, deep + 1));
  }
  return found;
}

const isGlob = (part: { text: string; quoted: boolean }): boolean =>
  !part.quoted && /[*?[]|\{[^{}]*,[^{}]*\}/.test(part.text);

function ownVariable(name: string, { folder, script }: Known): string | null {
  if (name === "PWD" || name === "CURDIR") return folder;
  return name === "0" || name === "BASH_SOURCE" ? script : null;
}

/** The folder that a common command prints. */
function folderSaid(command: string, { folder, script, top }: Known): string | null {
  if (/^\s*pwd\b/.test(command)) return folder;
  if (/\bgit\s+rev-parse\s+--show-toplevel\b/.test(command)) return top;
  const [, after] =
    /\bdirname\b[^)`]*?(?:\$0|\$\{0\}|\$\{?BASH_SOURCE)[^)`/]*[)`]?"?((?:\/[\w.-]+)*)/.exec(command) ?? [];
  if (after === undefined || script === null) return null;
  return resolved(parentOf(script), `.${after}`);
}

function meaningOf(all: readonly Piece[]): Meaning | null {
  const [first, second] = all;
  const anywhere = first?.is === "unknown" && second?.is !== "unknown" && (second?.text.startsWith("/") ?? false);
  const pieces = anywhere ? all.slice(1) : all;
  const text = pieces.map((piece) => (piece.is === "unknown" ? "" : piece.text)).join("");
  if (text === "") return null;
  const rest = anywhere ? (joined: string) => joined.replace(/^\/+/, "") : (joined: string) => joined;
  if (pieces.every(({ is }) => is === "text")) return { text: rest(text), glob: null, anywhere };
  return { text: rest(text), glob: rest(pieces.map(globOf).join("")), anywhere };
}

function globOf(piece: Piece): string {
  if (piece.is === "unknown") return "*";
  return piece.is === "glob" ? piece.text : piece.text.replace(/[\\*?[\]{}()!+@]/g, "\\$&");
}
