import type { Command, CommandLine } from "./command.ts";
import { innerTexts, isDeclaration, shellText } from "./inner-texts.ts";
import { resolved } from "./paths.ts";
import { isBuiltin, isShell, starterOptions } from "./programs.ts";
import { shellTokens, type Token } from "./tokens.ts";
import { exactly, type Known } from "./values.ts";
import { plainWord, type Word, withoutStart, wordFrom, wordSet } from "./words.ts";

const ASKS = wordSet("[ [[ test command type");
const KEYWORDS = wordSet("! if then elif else fi while until do done { } time");
const CONDITIONS = wordSet("if elif while until for case select");
/** Commands that change which programs the names refer to. */
const REDEFINES = wordSet(". source eval alias function");
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
    prints: null,
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

type Place = Pick<Command, "dir" | "maybe" | "chained" | "source" | "prints"> & { before: boolean; deep: number };

/** Where the reader is: the numbers of the list and the pipeline. */
interface Position extends Place, Pick<Command, "list" | "pipe"> {
  /** The folders before the subshells that are open. */
  folders: (string | null)[];
  /** The name in `name=(…)`; what is inside is also read as a command. */
  array: string;
}

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
    folders: [],
    array: "",
  };
  let gathered = nothing();
  for (const token of [...tokens, { is: "operator", text: "\n" } as const]) {
    if (token.is !== "operator") {
      gather(reading, gathered, token, at.array);
      continue;
    }
    readCommand(reading, gathered, at);
    readOperator(reading, token.text, at, gathered.words.at(-1));
    gathered = nothing();
  }
}

function gather(reading: Reading, gathered: Gathered, token: Exclude<Token, { is: "operator" }>, array: string): void {
  if (token.is === "word") gathered.words.push(token.word);
  else if (token.is === "document") gathered.documents.push(token);
  else gathered[token.way === "in" ? "inputs" : "outputs"].push(token.word);
  if (array !== "" && token.is === "word") give(reading, array, token.word);
}

function readOperator(reading: Reading, operator: string, at: Position, before: Word | undefined): void {
  if (operator === "(") {
    at.folders.push(at.dir);
    at.array = /^(\w+)\+?=$/.exec(before?.text ?? "")?.[1] ?? "";
  } else if (operator === ")") {
    at.dir = at.folders.pop() ?? at.dir;
    at.array = "";
  }
  const parts = /^(?:;|&$|\n)/.test(operator);
  if (operator === "||") reading.alternatives.add(at.list);
  if (parts) at.list = ++reading.lists;
  if (!/^[|()]&?$/.test(operator)) at.pipe = ++reading.pipes;
  if ((parts || operator === "||") && at.before) at.chained = false;
}

const isCondition = (token: Token): boolean => token.is === "word" && CONDITIONS.has(token.word.text);

const EXPORT = plainWord("export");

const isAssignment = ({ text }: Word): boolean => /^\w+\+?=/.test(text);

function readCommand(reading: Reading, gathered: Gathered, at: Position): void {
  const given = from(gathered.words, (word) => !KEYWORDS.has(word.text));
  // Assignments alone are like those of `export`.
  const all = given.length > 0 && given.every(isAssignment) ? [EXPORT, ...given] : given;
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
  const { before, chained, maybe, source, list, pipe, prints } = at;
  const { inputs, outputs } = gathered;
  const documents = gathered.documents.map(({ text }) => text);
  const one = { words, all, starters, inputs, outputs, documents, dir, chained, maybe, source };
  reading.commands.push({ ...one, first: !before, prints, list, pipe });
  for (const { text, source: inner } of innerTexts(all, words, documents)) {
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
  const isValue = program !== undefined && (isControl(program) || isDeclaration(program.text));
  for (const word of used) {
    const prints = isRun || word === program ? "code" : isValue ? "value" : null;
    const inner = { ...at, maybe: true, prints, deep: at.deep + 1 } as const;
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
  const assigned = all.slice(0, all.length - words.length).concat(isDeclaration(name) ? rest : []);
  for (const word of assigned) {
    const [sign, variable] = /^(\w+)\+?=/.exec(word.text) ?? [];
    if (variable === "PATH") reading.redefines = true;
    if (sign !== undefined && variable !== undefined) give(reading, variable, withoutStart(word, sign.length));
  }
  if (program && isControl(program)) noteLoop(reading, rest);
  const [own, ...others] = parametersIn(reading, name, rest);
  if (own) give(reading, "0", own);
  others.forEach((word, i) => {
    for (const parameter of [String(i + 1), "@", "*"]) give(reading, parameter, word);
  });
}

function noteLoop(reading: Reading, [variable, sign, ...values]: readonly Word[]): void {
  if (!variable) return;
  for (const word of sign?.text === "in" ? values : [ALL_PARAMETERS]) give(reading, variable.text, word);
}

const ALL_PARAMETERS = wordFrom([{ is: "variable", name: "@", otherwise: "" }]);

/** The values that a command gives to `$0`, `$1` and the others. */
function parametersIn({ functions }: Reading, name: string, rest: readonly Word[]): readonly Word[] {
  if (name === "set") return [EXPORT, ...rest.slice(rest[0]?.text === "--" ? 1 : 0)];
  if (functions.has(name)) return [EXPORT, ...rest];
  const text = isShell(name) ? shellText(rest) : undefined;
  return text ? rest.slice(rest.indexOf(text) + 1) : [];
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
