import { basename, resolve } from "node:path";
import { wordSet } from "../tamper/simple-commands.ts";
import { shellTokens, type Token, type Word } from "./shell-line.ts";

export interface OwnCommand {
  words: readonly Word[];
  /** The programs in front that start it, such as `timeout`. */
  starters: readonly string[];
  /** The folder it runs in; null if only the shell knows. */
  dir: string | null;
  /** Whether no command before it could have created its program or decides whether it runs. */
  first: boolean;
  /** Whether everything before it must succeed for it to run. */
  chained: boolean;
  /** Whether it may not run: in a condition, in a loop or inside another command. */
  maybe: boolean;
  /** Commands with the same number are alternatives, if there are several. */
  list: number;
}

export interface OwnLine {
  commands: readonly OwnCommand[];
  alternatives: ReadonlySet<number>;
  /** Whether the line itself changes the meaning of program names. */
  redefines: boolean;
}

const BUILTINS = wordSet(
  ". : [ alias bg break cd chdir command continue echo eval exec exit export false fg getopts hash jobs kill let local " +
    "popd printf pushd pwd read readonly return set shift shopt source test times trap true type typeset ulimit umask " +
    "unalias unset wait [[ declare builtin enable help history logout mapfile caller disown suspend time",
);
const ASKS = wordSet("[ [[ test command type");
const KEYWORDS = wordSet("! if then elif else fi while until do done { } time");
const CONDITIONS = wordSet("if elif while until for case select");
/** Commands that change which programs the names refer to. */
const REDEFINES = wordSet(". source eval alias function");
/** Programs that start another one, and those of their options that take a value. */
const STARTERS: Readonly<Record<string, ReadonlySet<string>>> = {
  command: wordSet(""),
  exec: wordSet("-a"),
  env: wordSet("-u --unset -C --chdir"),
  timeout: wordSet("-k --kill-after -s --signal"),
  gtimeout: wordSet("-k --kill-after -s --signal"),
  nice: wordSet("-n --adjustment"),
  ionice: wordSet("-c -n -t"),
  nohup: wordSet(""),
  setsid: wordSet(""),
  stdbuf: wordSet("-i -o -e"),
  time: wordSet("-f -o"),
  sudo: wordSet("-u -g -h -p -C -D"),
  doas: wordSet("-u -C"),
  xvfb: wordSet("-n -s -e -f"),
  "xvfb-run": wordSet("-n -s -e -f"),
  chronic: wordSet(""),
  unbuffer: wordSet(""),
};
const SHELLS = wordSet("sh bash dash zsh ksh ash");

export const isBuiltin = (program: string): boolean => BUILTINS.has(program);
export const isShell = (program: string): boolean => SHELLS.has(basename(program));
const isStarter = (program: string): boolean => STARTERS[basename(program)] !== undefined;

/** The commands in a check's own text, including those inside `sh -c`. */
export function ownCommands(line: string, cwd: string): OwnLine {
  const reading: Reading = { commands: [], alternatives: new Set(), redefines: false, lists: 0 };
  readLine(reading, line, { dir: cwd, maybe: false, before: false, chained: true });
  return reading;
}

interface Reading {
  commands: OwnCommand[];
  alternatives: Set<number>;
  redefines: boolean;
  lists: number;
}

interface Place {
  dir: string | null;
  maybe: boolean;
  before: boolean;
  chained: boolean;
}

function readLine(reading: Reading, line: string, place: Place): void {
  if (/(?:^|[\s;&|])(?:function\s+[\w-]+|[\w-]+\s*\(\s*\))/.test(line)) reading.redefines = true;
  const tokens = shellTokens(line);
  const at = { ...place, maybe: place.maybe || tokens.some(isCondition) };
  const folders: (string | null)[] = [];
  let words: Word[] = [];
  reading.lists++;
  for (const token of [...tokens, { is: "operator", text: "\n" } as const]) {
    if (token.is === "word") words.push(token.word);
    else if (token.is === "inner") readLine(reading, token.text, { ...at, maybe: true });
    else {
      readCommand(reading, words, at);
      words = [];
      if (token.text === "(") folders.push(at.dir);
      if (token.text === ")") at.dir = folders.pop() ?? at.dir;
      readOperator(reading, token.text, at);
    }
  }
}

function readOperator(reading: Reading, operator: string, at: Place): void {
  const parts = /^(?:;|&$|\n)/.test(operator);
  if (operator === "||") reading.alternatives.add(reading.lists);
  if (parts) reading.lists++;
  if ((parts || operator === "||") && at.before) at.chained = false;
}

const isCondition = (token: Token): boolean => token.is === "word" && CONDITIONS.has(token.word.text);

const isAssignment = ({ text }: Word): boolean => /^\w+\+?=/.test(text);

function readCommand(reading: Reading, given: readonly Word[], at: Place): void {
  const words = from(given, (word) => !KEYWORDS.has(word.text));
  if (words.some((word) => /^PATH=/.test(word.text))) reading.redefines = true;
  const { words: own, starters, dir } = started(words, at.dir);
  const [program] = own;
  if (!program) return;
  if (REDEFINES.has(program.text)) reading.redefines = true;
  if (/^(?:cd|pushd|popd)$/.test(program.text) && starters.length === 0) {
    at.dir = folderAfter(own, at.dir);
    return;
  }
  const { before, chained, maybe } = at;
  reading.commands.push({ words: own, starters, dir, first: !before, chained, maybe, list: reading.lists });
  const text = innerText(own);
  if (text !== null) readLine(reading, text, { ...at, dir });
  if (!isBuiltin(program.text) || ASKS.has(program.text)) at.before = true;
}

function from(words: readonly Word[], fits: (word: Word) => boolean): readonly Word[] {
  const place = words.findIndex(fits);
  return place === -1 ? [] : words.slice(place);
}

function started(words: readonly Word[], folder: string | null) {
  const starters: string[] = [];
  let dir = folder;
  let left = from(words, (word) => !isAssignment(word));
  for (let next = left[0]; next?.plain && isStarter(next.text); next = left[0]) {
    const values = STARTERS[basename(next.text)] ?? new Set();
    const rest = withoutOptions(left.slice(1), values);
    // `command -v x` looks up a program and starts none.
    if (rest.length === 0 || /^-[vV]$/.test(left[1]?.text ?? "")) break;
    if (left.slice(1).some(({ text }) => /^(?:-C|-D|--chdir)/.test(text))) dir = null;
    starters.push(next.text);
    left = rest;
  }
  return { words: left, starters, dir };
}

function withoutOptions(words: readonly Word[], values: ReadonlySet<string>): readonly Word[] {
  let at = 0;
  for (let word = words[at]; word; word = words[at]) {
    if (values.has(word.text)) at += 2;
    else if (word.text.startsWith("-") || isAssignment(word) || /^[\d.]+[smhd]?$/.test(word.text)) at++;
    else break;
  }
  return words.slice(at);
}

function folderAfter([program, folder]: readonly Word[], dir: string | null): string | null {
  if (program?.text !== "cd" || !folder?.plain || folder.text.startsWith("-") || dir === null) return null;
  return resolve(dir, folder.text);
}

/** The text that a shell is given to run, or null. */
function innerText([program, ...rest]: readonly Word[]): string | null {
  if (!program || !isShell(program.text)) return null;
  const option = rest.findIndex(({ text }) => /^-\w*c$/.test(text));
  const text = option === -1 ? undefined : rest.slice(option + 1).find((word) => !word.text.startsWith("-"));
  return text?.plain ? text.text : null;
}
