import type { Command, CommandLine } from "./commands.ts";
import { inlineOptionOf, interpreterOf, runsModules } from "./interpreters.ts";
import { includes, isIncludeOption, loadsBy } from "./options.ts";
import { isReader, isTester, nameOf, packageRunner, takesTargets } from "./programs.ts";
import { inText, type Role, type RoleContext, type Use, usesOfWord } from "./use.ts";
import { exactText, meaningsOf } from "./values.ts";
import { plainWord, type Word, withoutStart } from "./words.ts";

interface Found {
  uses: Use[];
  /** Whether it runs what it reads, or what only the shell knows. */
  runsInput: boolean;
}

/** What each command of a line uses, with the folder in which its paths are. */
export function usesOf(line: CommandLine, contextFor: (command: Command) => RoleContext): Map<Command, Use[]> {
  const found = new Map(line.commands.map((command) => [command, usesIn(command, contextFor(command))] as const));
  const all = [...found.values()];
  const opaque = all.some(({ runsInput }) => runsInput);
  const uses = new Map<Command, Use[]>();
  // The pipelines in which a later command runs what it reads.
  const running = new Set<number>();
  for (const command of line.commands.toReversed()) {
    const { uses: own = [], runsInput = false } = found.get(command) ?? {};
    const feeds = command.printsCode || running.has(command.pipe);
    if (runsInput || (opaque && command.words[0]?.text === "read")) running.add(command.pipe);
    uses.set(command, command.source === "guess" ? own.map(guessed) : feeds ? own.map(asCode) : own);
  }
  const [first] = line.commands;
  if (first && line.inputs.length > 0) {
    const { known } = contextFor(first);
    const inputs = line.inputs.flatMap((word) => usesOfWord(word, known, opaque ? "run" : "read"));
    uses.set(first, [...(uses.get(first) ?? []), ...inputs]);
  }
  return uses;
}

const asCode = (use: Use): Use => (use.role === "included" ? use : { ...use, role: "run" });
const guessed = (use: Use): Use => (use.role === "read" ? use : { ...use, role: "text" });

/** The state of a walk over the words of a command. */
interface Walk extends Found {
  context: RoleContext;
  words: readonly Word[];
  program: string;
  isTool: boolean;
  reader: boolean;
  /** The interpreter that has no script yet. */
  interpreter: string | null;
  /** The interpreter that the command starts; null if none. */
  last: string | null;
  test: boolean;
  /** The role of other words. */
  rest: Role;
  /** The use of the next word, whatever it is. */
  next: { role: Role; as: Use["as"]; shell: boolean } | "code" | null;
}

function usesIn(command: Pick<Command, "all" | "words" | "inputs" | "documents">, context: RoleContext): Found {
  const { all, words, inputs, documents } = command;
  const start = all.length - words.length;
  const program = toolOf(words);
  if (program === "find") return found(command, context);
  const reader = isReader(program);
  const walk: Walk = {
    context,
    words,
    program,
    isTool: words.some(({ text }) => context.isTool(nameOf(text))),
    reader,
    uses: [],
    runsInput: false,
    interpreter: null,
    last: null,
    test: isTester(program) || words.some(({ text }) => text === "--test" || text === "test"),
    rest: reader ? "read" : "named",
    next: null,
  };
  all.slice(0, start).forEach((word) => {
    beforeProgram(walk, word);
  });
  words.forEach((word, i) => {
    step(walk, word, i);
  });
  const opaque = words[0] !== undefined && !words[0].plain && meaningsOf(words[0], context.known).length === 0;
  walk.runsInput = walk.interpreter !== null || opaque;
  const shell = walk.last === "sh";
  for (const word of inputs)
    walk.uses.push(...usesOfWord(word, context.known, walk.runsInput ? "run" : "read", { shell }));
  if (walk.runsInput && !shell) for (const text of documents) walk.uses.push(...inText(text));
  return walk;
}

/** The program that decides what the words mean: that of `npx eslint` is `eslint`. */
function toolOf(words: readonly Word[]): string {
  const names = words.map(({ text }) => nameOf(text).replace(/(.)@[^@]*$/, "$1"));
  const skips = packageRunner(names[0] ?? "");
  if (!skips) return names[0] ?? "";
  return names.slice(1).find((name) => !/^-|^[\d{}%]*$/.test(name) && !skips.has(name)) ?? names[0] ?? "";
}

/** Variables that contain options or files for an interpreter. */
const LOADING = /(?:OPTIONS?|OPTS?|^ENV|_ENV|STARTUP|MAKEFILES|RUBYOPT|PERL5OPT)$/;

function beforeProgram(walk: Walk, word: Word): void {
  const { known } = walk.context;
  const [sign, name = ""] = /^(\w+)\+?=/.exec(word.text) ?? [];
  if (sign === undefined) {
    // A program of the repository with the name of one that starts others.
    walk.uses.push(...usesOfWord(word, known, /^[^-].*\//.test(word.text) ? "run" : "argument"));
    return;
  }
  const value = withoutStart(word, sign.length);
  const loads = LOADING.test(name);
  if (!loads || !/\s/.test(value.text)) walk.uses.push(...usesOfWord(value, known, loads ? "included" : "argument"));
  else
    for (const text of value.text.split(/\s+/))
      walk.uses.push(...usesOfWord(plainWord(valueIn(text)), known, "included"));
}

const valueIn = (option: string): string => option.replace(/^-[\w-]*=/, "");

function step(walk: Walk, word: Word, i: number): void {
  const { context } = walk;
  const { text } = word;
  if (walk.next) {
    useNext(walk, word);
    return;
  }
  if (i === 0 && /^(?:\.|source)$/.test(text)) {
    walk.next = { role: "included", as: "path", shell: true };
    return;
  }
  if (startsInterpreter(walk, word, i)) return;
  if (i === 0) {
    const paths = meaningsOf(word, context.known).filter((meaning) => meaning.text.includes("/") || meaning.anywhere);
    if (paths.length === 0) return;
    walk.uses.push(...usesOfWord(word, context.known, "run"));
    if (paths.some((meaning) => context.exists(meaning))) walk.rest = "argument";
    return;
  }
  if (/^-/.test(text)) {
    option(walk, word);
    return;
  }
  if (isSubcommand(walk, word, i)) return;
  if (walk.interpreter !== null && useScript(walk, word, walk.interpreter)) return;
  walk.uses.push(...usesOfWord(word, context.known, walk.rest, { test: walk.test }));
}

/** Whether a word is a command or target of the program, although a file may have the same name. */
function isSubcommand(walk: Walk, { text }: Word, i: number): boolean {
  if (/[/.]/.test(text) || !takesTargets(walk.program)) return false;
  if (i === 1 && /^(?:check|fmt|lint|build|compile|bundle)$/.test(text) && walk.interpreter !== null) {
    walk.interpreter = null;
    walk.rest = "read";
  }
  return true;
}

/** Whether a word is the name of an interpreter that the command starts, whatever is before it. */
function startsInterpreter(walk: Walk, word: Word, i: number): boolean {
  const mayStart = word.plain && !walk.reader && (walk.rest === "named" || walk.last === null);
  const name = mayStart && walk.interpreter === null ? interpreterOf(nameOf(word.text)) : null;
  if (name === null || (name === "go" && walk.words[i + 1]?.text !== "run")) return false;
  if (word.text.includes("/")) walk.uses.push(...usesOfWord(word, walk.context.known, "run"));
  walk.interpreter = name;
  walk.last = name;
  return true;
}

function useNext(walk: Walk, word: Word): void {
  const { next } = walk;
  walk.next = null;
  if (next === "code") {
    walk.uses.push(...inText(word.text));
    return;
  }
  if (!next) return;
  const { role, as, shell } = next;
  const uses = usesOfWord(word, walk.context.known, role, { as, shell });
  walk.uses.push(...uses);
  if (as === "python") afterModule(walk, word);
}

function afterModule(walk: Walk, { text }: Word): void {
  // Some modules run the script that follows.
  if (runsModules(text)) {
    walk.interpreter = walk.last;
    return;
  }
  walk.rest = isTester(nameOf(text)) ? "named" : "argument";
  walk.test ||= isTester(nameOf(text));
  const path = `./${text.replaceAll(".", "/")}`;
  const isOwn = [path, `${path}.py`].some((place) => walk.context.exists(exactText(place)));
  if (!isOwn && !isTester(text)) walk.rest = "read";
}

function option(walk: Walk, word: Word): void {
  const { context, program } = walk;
  const { known } = context;
  const inline = walk.interpreter === null ? null : inlineOptionOf(walk.interpreter, word.text);
  if (inline) {
    useInline(walk, word, inline);
    return;
  }
  const loads = {
    program,
    starter: nameOf(walk.words[0]?.text ?? ""),
    isTool: walk.isTool,
    interpreter: walk.last !== null && walk.rest === "named",
  };
  const [sign] = /^--?[\w-]+=/.exec(word.text) ?? [];
  if (sign !== undefined) {
    const role = isIncludeOption(sign.slice(0, -1), loads) ? "included" : walk.rest;
    walk.uses.push(...usesOfWord(withoutStart(word, sign.length), known, role));
    return;
  }
  if (includes(word.text, loads)) {
    walk.next = { role: "included", as: "path", shell: false };
    return;
  }
  if (!/^-\w./.test(word.text)) return;
  const role = loadsBy(word.text.slice(0, 2), loads) ? "included" : walk.rest;
  walk.uses.push(...usesOfWord(withoutStart(word, 2), known, role));
}

function useInline(walk: Walk, word: Word, { is, value }: { is: "code" | "module" | "check"; value: string }): void {
  walk.interpreter = null;
  walk.rest = is === "check" ? "read" : "argument";
  // The commands in a text for a shell are read elsewhere.
  const next = is === "code" ? (walk.last === "sh" ? null : ("code" as const)) : null;
  walk.next = is === "module" ? { role: "run", as: "python", shell: false } : next;
  if (value !== "" && walk.next) useNext(walk, plainWord(value));
  else if (is === "code" && walk.last === "sh") walk.test = word.text === "--test";
}

/** The file that an interpreter runs. */
function useScript(walk: Walk, word: Word, interpreter: string): boolean {
  const { context } = walk;
  const as = interpreter === "node" || interpreter === "go" ? interpreter : "path";
  const uses = usesOfWord(word, context.known, "run", { as, shell: interpreter === "sh", test: walk.test });
  const seen = uses.filter(({ meaning }) => context.exists(meaning, as));
  if (seen.length === 0) return false;
  walk.uses.push(...seen);
  walk.interpreter = null;
  walk.rest = "argument";
  return true;
}

/** `find`: the files below its folders that it runs, or prints. */
function found({ words }: Pick<Command, "words">, context: RoleContext): Found {
  const { known } = context;
  const rest = words.slice(1);
  const first = rest.findIndex(({ text }) => /^[-(!]/.test(text));
  const folders = first === -1 ? rest : rest.slice(0, first);
  const names = rest.flatMap(({ text }, i) =>
    /^-i?(?:name|path|wholename)$/.test(rest[i - 1]?.text ?? "") ? [text] : [],
  );
  const at = rest.findIndex(({ text }) => /^-(?:exec|execdir|ok|okdir)$/.test(text));
  const own = rest.slice(at + 1).filter(({ text }) => text !== ";" && text !== "+");
  const inner = at === -1 ? null : usesIn({ words: own, all: own, inputs: [], documents: [] }, context);
  const runs = inner !== null && (inner.runsInput || own[0]?.text.includes("{}") === true);
  const more = { names: names.length > 0 ? names : null };
  const role = runs ? "run" : "read";
  return {
    uses: [...folders.flatMap((word) => usesOfWord(word, known, role, more)), ...(inner?.uses ?? [])],
    runsInput: false,
  };
}
