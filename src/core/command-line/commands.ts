import { resolved } from "./paths.ts";
import { isBuiltin, isReader, isShell, nameOf, starterOptions } from "./programs.ts";
import { shellTokens, type Token } from "./tokens.ts";
import { exactly, type Known } from "./values.ts";
import { type Word, withoutStart, wordSet } from "./words.ts";

/** A program with its arguments, in a shell command. */
export interface Command {
  words: readonly Word[];
  /** Its words with everything before them: assignments, the programs that start it, and their options. */
  all: readonly Word[];
  /** The programs in front that start it, such as `timeout`. */
  starters: readonly string[];
  /** Files that it reads as its standard input, or writes. */
  inputs: readonly Word[];
  outputs: readonly Word[];
  /** Texts that it reads as its standard input. */
  documents: readonly string[];
  /** The folder it runs in; null if only the shell knows. */
  dir: string | null;
  /** Whether no command before it could have created its program or decides whether it runs. */
  first: boolean;
  /** Whether everything before it must succeed for it to run. */
  chained: boolean;
  /** Whether it may not run: in a condition, in a loop or inside another command. */
  maybe: boolean;
  /** Where it is: in the line itself, in a text that a shell runs, or in a text that an unknown program may run. */
  source: "line" | "text" | "guess";
  /** Whether a shell runs what it prints. */
  printsCode: boolean;
  /** Commands with the same number are alternatives, if there are several. */
  list: number;
  /** Commands with the same number are in one pipeline. */
  pipe: number;
}

/** A shell command, as far as its text shows. */
export interface CommandLine {
  commands: readonly Command[];
  alternatives: ReadonlySet<number>;
  /** Whether the line itself changes the meaning of program names. */
  redefines: boolean;
  /** Every value that it gives to each variable. */
  values: ReadonlyMap<string, readonly Word[]>;
  /** Files that loops and groups of commands read. */
  inputs: readonly Word[];
}

const ASKS = wordSet("[ [[ test command type");
const KEYWORDS = wordSet("! if then elif else fi while until do done { } time");
const CONDITIONS = wordSet("if elif while until for case select");
/** Commands that change which programs the names refer to. */
const REDEFINES = wordSet(". source eval alias function");
const DECLARES = wordSet("export local readonly declare typeset");
const MOST_DEEP = 8;
/** The maximum number of characters, when texts inside texts are read again. */
const MOST_CHARS = 2 << 20;

/** What surrounds a command line. */
type Surroundings = Partial<Pick<Known, "script" | "top">>;

/** The commands in a shell command, including those in the texts that a shell is given to run. */
export function commandsIn(line: string, folder: string | null, { script = null, top = null }: Surroundings = {}) {
  const reading: Reading = {
    commands: [],
    alternatives: new Set(),
    redefines: false,
    values: new Map(),
    inputs: [],
    lists: 0,
    pipes: 0,
    left: MOST_CHARS,
    functions: new Set([...line.matchAll(FUNCTION)].map(([, first, second]) => first ?? second ?? "")),
    script,
    top,
  };
  const place = {
    dir: folder,
    maybe: false,
    before: false,
    chained: true,
    source: "line" as const,
    printsCode: false,
    deep: 0,
  };
  readLine(reading, line, place);
  return reading satisfies CommandLine;
}

const FUNCTION = /(?:^|[\s;&|])(?:function\s+([\w-]+)|([\w-]+)\s*\(\s*\))/g;

interface Reading extends CommandLine {
  commands: Command[];
  alternatives: Set<number>;
  values: Map<string, Word[]>;
  inputs: Word[];
  lists: number;
  pipes: number;
  /** The number of characters that may still be read. */
  left: number;
  functions: ReadonlySet<string>;
  script: string | null;
  top: string | null;
}

type Place = Pick<Command, "dir" | "maybe" | "chained" | "source" | "printsCode"> & { before: boolean; deep: number };

/** Where the reader is: the numbers of the list and the pipeline. */
type Position = Place & Pick<Command, "list" | "pipe">;

/** The tokens between two operators. */
interface Gathered {
  words: Word[];
  inputs: Word[];
  outputs: Word[];
  documents: Extract<Token, { is: "document" }>[];
}

const nothing = (): Gathered => ({ words: [], inputs: [], outputs: [], documents: [] });

function readLine(reading: Reading, line: string, place: Place): void {
  reading.left -= line.length + 1;
  if (place.deep > MOST_DEEP || reading.left < 0) return;
  if (new RegExp(FUNCTION.source).test(line)) reading.redefines = true;
  const tokens = shellTokens(line);
  const at: Position = {
    ...place,
    maybe: place.maybe || tokens.some(isCondition),
    list: ++reading.lists,
    pipe: ++reading.pipes,
  };
  const folders: (string | null)[] = [];
  let gathered = nothing();
  for (const token of [...tokens, { is: "operator", text: "\n" } as const]) {
    if (token.is !== "operator") {
      gather(gathered, token);
      continue;
    }
    readCommand(reading, gathered, at);
    gathered = nothing();
    if (token.text === "(") folders.push(at.dir);
    if (token.text === ")") at.dir = folders.pop() ?? at.dir;
    readOperator(reading, token.text, at);
  }
}

function gather(gathered: Gathered, token: Exclude<Token, { is: "operator" }>): void {
  if (token.is === "word") gathered.words.push(token.word);
  else if (token.is === "document") gathered.documents.push(token);
  else gathered[token.way === "in" ? "inputs" : "outputs"].push(token.word);
}

function readOperator(reading: Reading, operator: string, at: Position): void {
  const parts = /^(?:;|&$|\n)/.test(operator);
  if (operator === "||") reading.alternatives.add(at.list);
  if (parts) at.list = ++reading.lists;
  if (!/^[|()]&?$/.test(operator)) at.pipe = ++reading.pipes;
  if ((parts || operator === "||") && at.before) at.chained = false;
}

const isCondition = (token: Token): boolean => token.is === "word" && CONDITIONS.has(token.word.text);

const isAssignment = ({ text }: Word): boolean => /^\w+\+?=/.test(text);

function readCommand(reading: Reading, gathered: Gathered, at: Position): void {
  const all = from(gathered.words, (word) => !KEYWORDS.has(word.text));
  const { words, starters, dir } = started(all, at.dir);
  const [program] = words;
  noteValues(reading, all, words);
  readOutputs(reading, [...all, ...gathered.inputs], { ...at, words });
  if (!program) reading.inputs.push(...gathered.inputs);
  if (!program || isControl(program)) return;
  if (REDEFINES.has(program.text)) reading.redefines = true;
  if (/^(?:cd|pushd|popd)$/.test(program.text) && starters.length === 0) {
    at.dir = folderAfter(words, { ...reading, folder: at.dir });
    return;
  }
  const { before, chained, maybe, source, list, pipe, printsCode } = at;
  const { inputs, outputs } = gathered;
  const documents = gathered.documents.map(({ text }) => text);
  const one = { words, all, starters, inputs, outputs, documents, dir, chained, maybe, source };
  reading.commands.push({ ...one, first: !before, printsCode, list, pipe });
  for (const { text, source: inner } of [...innerTexts(all, words), ...scriptsOf(words, documents)]) {
    const less = SOURCES.indexOf(inner) > SOURCES.indexOf(source) ? inner : source;
    readLine(reading, text, { ...at, dir, maybe: maybe || inner !== "line", source: less, deep: at.deep + 1 });
  }
  if (!isBuiltin(program.text) || ASKS.has(program.text)) at.before = true;
}

/** `for` starts no program. */
const isControl = ({ text }: Word): boolean => text === "for" || text === "select";

/** Reads the commands whose output is used in a command's words. */
function readOutputs(reading: Reading, used: readonly Word[], at: Position & { words: readonly Word[] }): void {
  const [program] = at.words;
  const isRun = isRunner(at.words);
  for (const word of used) {
    const inner = { ...at, maybe: true, printsCode: isRun || word === program, deep: at.deep + 1 };
    for (const part of word.parts) if (part.is === "output") readLine(reading, part.command, inner);
  }
}

/** Whether a command runs what the commands in its words print. */
const isRunner = ([program]: readonly Word[]): boolean =>
  program !== undefined && (isShell(program.text) || /^(?:eval|\.|source)$/.test(program.text));

/** Notes the values that a command gives to variables. */
function noteValues(reading: Reading, all: readonly Word[], words: readonly Word[]): void {
  const [program, ...rest] = words;
  const name = program?.text ?? "";
  const assigned = all.slice(0, all.length - words.length).concat(DECLARES.has(name) ? rest : []);
  for (const word of assigned) {
    const [sign, variable] = /^(\w+)\+?=/.exec(word.text) ?? [];
    if (variable === "PATH") reading.redefines = true;
    if (sign !== undefined && variable !== undefined) give(reading, variable, withoutStart(word, sign.length));
  }
  const [variable, sign, ...values] = rest;
  if (program && isControl(program) && variable && sign?.text === "in")
    for (const word of values) give(reading, variable.text, word);
  parametersIn(reading, name, rest).forEach((word, i) => {
    for (const parameter of [String(i + 1), "@", "*"]) give(reading, parameter, word);
  });
}

/** The values that a command gives to `$1` and the others. */
function parametersIn({ functions }: Reading, name: string, rest: readonly Word[]): readonly Word[] {
  if (name === "set") return rest.slice(rest[0]?.text === "--" ? 1 : 0);
  return functions.has(name) ? rest : [];
}

function give({ values }: Reading, variable: string, word: Word): void {
  const known = values.get(variable);
  if (!known) values.set(variable, [word]);
  else if (known.length < MOST_VALUES) known.push(word);
}

const MOST_VALUES = 50;

/** From the most certain to the least. */
const SOURCES: readonly Command["source"][] = ["line", "text", "guess"];

function from(words: readonly Word[], fits: (word: Word) => boolean): readonly Word[] {
  const place = words.findIndex(fits);
  return place === -1 ? [] : words.slice(place);
}

function started(words: readonly Word[], folder: string | null) {
  const starters: string[] = [];
  let dir = folder;
  let left = from(words, (word) => !isAssignment(word));
  for (let next = left[0]; next?.plain; next = left[0]) {
    const values = starterOptions(next.text);
    if (!values) break;
    const rest = withoutOptions(left.slice(1), values);
    // `command -v x` looks up a program and starts none.
    if (rest.length === 0 || /^-[vV]$/.test(left[1]?.text ?? "")) break;
    if (left.slice(1, left.length - rest.length).some(({ text }) => /^(?:-C|-D|--chdir)/.test(text))) dir = null;
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

function folderAfter([program, ...rest]: readonly Word[], known: Known): string | null {
  const folder = rest.find(({ text }) => text !== "--");
  if (program?.text !== "cd" || !folder || folder.text.startsWith("-") || /^~/.test(folder.text)) return null;
  const path = exactly(folder, known);
  if (path === null || (known.folder === null && !path.startsWith("/"))) return null;
  return resolved(known.folder ?? "/", path);
}

interface InnerText extends Pick<Command, "source"> {
  text: string;
}

/** Texts that a command runs as a shell command, or may run. */
function innerTexts(all: readonly Word[], words: readonly Word[]): InnerText[] {
  const [program, ...rest] = words;
  const name = nameOf(program?.text ?? "");
  if (name === "eval") return [{ text: rest.map(sourceOf).join(" "), source: "text" }];
  const own = isShell(name) ? shellText(rest) : undefined;
  if (own) return [{ text: sourceOf(own), source: own.plain ? "line" : "text" }];
  if (isReader(name) || isShell(name)) return [];
  // An unknown program that starts a shell.
  const shell = all.findIndex(({ text }) => isShell(nameOf(text)));
  const started = shell === -1 ? undefined : shellText(all.slice(shell + 1));
  if (started) return [{ text: sourceOf(started), source: "text" }];
  return all.flatMap((word) => {
    const text = sourceOf(word).replace(/^(?:-S|--[\w-]+=|\w+=)/, "");
    // `env -S "sh check.sh"`, or a variable with a whole command.
    const isCommand = word === program || /^(?:-S|--split-string=)/.test(word.text);
    return /\S\s+\S/.test(word.text) ? [{ text, source: isCommand ? ("text" as const) : ("guess" as const) }] : [];
  });
}

/** The here-documents that a shell runs. */
function scriptsOf([program, ...rest]: readonly Word[], documents: readonly string[]): InnerText[] {
  const runs = isShell(program?.text ?? "") && (rest.some(({ text }) => text === "-s") || rest.every(isOption));
  return runs ? documents.map((text) => ({ text, source: "text" })) : [];
}

const isOption = ({ text }: Word): boolean => text.startsWith("-");

/** The text after `-c`. */
function shellText(words: readonly Word[]): Word | undefined {
  const option = words.findIndex(({ text }) => /^-\w*c$/.test(text));
  return option === -1 ? undefined : words.slice(option + 1).find((word) => !word.text.startsWith("-"));
}

/** The text of a word for another shell, which expands what this one would. */
const sourceOf = ({ parts }: Word): string =>
  parts
    .map((part) => {
      if (part.is === "text") return part.text;
      if (part.is === "variable") return `\${${part.name}}`;
      return part.is === "output" ? `$(${part.command})` : "$_";
    })
    .join("");
