import type { Command } from "./command.ts";
import { isDeclaration } from "./inner-texts.ts";
import { inlineOptionOf, interpreterOf, runsModules } from "./interpreters.ts";
import { includes, isIncludeOption, loadsBy } from "./options.ts";
import { isReader, isTester, nameOf, packageRunner, takesTargets } from "./programs.ts";
import { inText, type Role, type RoleContext, type Use, usesOfWord } from "./use.ts";
import { exactly, exactText, meaningsOf } from "./values.ts";
import { plainWord, type Word, withoutStart } from "./words.ts";

/** What one command uses. */
interface Found {
  uses: Use[];
  /** Whether it runs what it reads, or what only the shell knows. */
  runsInput: boolean;
}

/** The state of a walk over the words of a command. */
interface Walk extends Found {
  context: RoleContext;
  words: readonly Word[];
  program: string;
  isTool: boolean;
  reader: boolean;
  /** Whether the command is only one that a program may run. */
  guess: boolean;
  /** The interpreter that has no script yet. */
  interpreter: string | null;
  /** The interpreter that the command starts; null if none. */
  last: string | null;
  /** Whether something else starts that interpreter. */
  started: boolean;
  test: boolean;
  /** The role of other words. */
  rest: Role;
  /** The use of the next word, whatever it is. */
  next: { role: Role; as: Use["as"]; shell: boolean } | "code" | null;
}

/** What a command uses, whatever surrounds it. */
export function usesIn(
  command: Pick<Command, "all" | "words" | "inputs" | "documents" | "source">,
  context: RoleContext,
): Found {
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
    guess: command.source === "guess",
    interpreter: null,
    last: null,
    started: false,
    test: isTester(program) || words.some(({ text }) => text === "--test" || text === "test"),
    rest: reader ? "read" : "named",
    next: null,
  };
  const isLoading = ({ text }: Word) => LOADING.test(/^(\w+)\+?=/.exec(text)?.[1] ?? "");
  const exported = isDeclaration(program) ? words.filter(isLoading) : [];
  for (const word of [...all.slice(0, start), ...exported]) beforeProgram(walk, word);
  words.forEach((word, i) => {
    step(walk, word, i);
  });
  const opaque = words[0] !== undefined && !words[0].plain && meaningsOf(words[0], context.known).length === 0;
  walk.runsInput = walk.interpreter !== null || opaque;
  const shell = walk.last === "sh";
  for (const word of inputs)
    walk.uses.push(...usesOfWord(word, context.known, walk.runsInput ? "run" : "read", { shell }));
  if (walk.runsInput && !shell) for (const text of documents) walk.uses.push(...inText(text, walk.last));
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
const LOADING = /(?:OPTIONS?|OPTS?|^ENV|_ENV|STARTUP|MAKEFILES|PLUGINS|RUBYOPT|PERL5OPT)$/;

function beforeProgram(walk: Walk, word: Word): void {
  const { known } = walk.context;
  const [sign, name = ""] = /^(\w+)\+?=/.exec(word.text) ?? [];
  if (sign === undefined) {
    // A program of the repository with the name of one that starts others.
    walk.uses.push(...usesOfWord(word, known, /^[^-].*\//.test(word.text) ? "run" : "argument"));
    return;
  }
  const value = withoutStart(word, sign.length);
  if (!LOADING.test(name)) walk.uses.push(...usesOfWord(value, known, "argument"));
  else if (!/[\s,]/.test(value.text)) loaded(walk, value);
  else for (const text of (exactly(value, known) ?? value.text).split(/[\s,]+/)) loaded(walk, plainWord(valueIn(text)));
}

const valueIn = (option: string): string => option.replace(/^-[\w-]*=/, "");

function step(walk: Walk, word: Word, i: number): void {
  const { context } = walk;
  const { text } = word;
  if (walk.next && !isProgramInstead(walk, word)) {
    useNext(walk, word);
    return;
  }
  walk.next = null;
  if (i === 0 && /^(?:\.|source)$/.test(text)) {
    walk.next = { role: "included", as: "path", shell: true };
    return;
  }
  if (startsInterpreter(walk, word, i)) return;
  if (i === 0) {
    useProgram(walk, word);
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

function useProgram(walk: Walk, word: Word): void {
  const { known, exists } = walk.context;
  const paths = meaningsOf(word, known).filter((meaning) => meaning.text.includes("/") || meaning.anywhere);
  if (paths.length === 0) return;
  walk.uses.push(...usesOfWord(word, known, walk.guess ? "text" : "run"));
  if (paths.some((meaning) => exists(meaning))) walk.rest = "argument";
}

/** Whether an option that often has a file as its value had none, as in `strace -f sh x`. */
function isProgramInstead({ next, context }: Walk, { text }: Word): boolean {
  if (next === null || next === "code" || next.role !== "included" || interpreterOf(text) === null) return false;
  return !context.exists({ text, glob: null, anywhere: false });
}

/** Whether a word is a command or target of the program, although a file may have the same name. */
function isSubcommand(walk: Walk, { text }: Word, i: number): boolean {
  if (/[/.]/.test(text) || walk.started || !takesTargets(walk.program)) return false;
  if (i === 1 && /^(?:check|fmt|lint|build|compile|bundle)$/.test(text) && walk.interpreter !== null) {
    walk.interpreter = null;
    walk.rest = "read";
  }
  return true;
}

/** Whether a word is the name of an interpreter that the command starts, whatever is before it. */
function startsInterpreter(walk: Walk, word: Word, i: number): boolean {
  const mayStart =
    word.plain && !walk.reader && (walk.rest === "named" || walk.last === null) && (!walk.guess || i === 0);
  const name = mayStart && walk.interpreter === null ? interpreterOf(nameOf(word.text)) : null;
  if (name === null || (/^(?:go|coverage)$/.test(nameOf(word.text)) && walk.words[i + 1]?.text !== "run")) return false;
  if (word.text.includes("/")) walk.uses.push(...usesOfWord(word, walk.context.known, "run"));
  walk.interpreter = name;
  walk.last = name;
  walk.started = i > 0;
  return true;
}

function useNext(walk: Walk, word: Word): void {
  const { next } = walk;
  walk.next = null;
  if (next === "code") {
    walk.uses.push(...inText(word.text, walk.last));
    return;
  }
  if (!next) return;
  const { role, as, shell } = next;
  if (role === "included") loaded(walk, word, shell);
  else walk.uses.push(...usesOfWord(word, walk.context.known, role, { as, shell }));
  if (as === "python") afterModule(walk, word);
}

/** A file that is loaded or obeyed. pytest loads modules by their names. */
function loaded({ context, words, uses }: Walk, word: Word, shell = false): void {
  const found = usesOfWord(word, context.known, "included", { shell });
  const mayBeModule = words.some(({ text }) => /^py\.?test$/.test(nameOf(text)));
  uses.push(
    ...found.map((use) => (mayBeModule && !context.exists(use.meaning) ? { ...use, as: "python" as const } : use)),
  );
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
  const { program } = walk;
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
    useValue(walk, withoutStart(word, sign.length), isIncludeOption(sign.slice(0, -1), loads));
    return;
  }
  if (includes(word.text, loads)) {
    walk.next = { role: "included", as: "path", shell: false };
    return;
  }
  if (!/^-\w./.test(word.text)) return;
  useValue(walk, withoutStart(word, 2), loadsBy(word.text.slice(0, 2), loads));
}

function useValue(walk: Walk, value: Word, isLoaded: boolean): void {
  if (isLoaded) loaded(walk, value);
  else walk.uses.push(...usesOfWord(value, walk.context.known, walk.rest));
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
  const inner = at === -1 ? null : usesIn({ words: own, all: own, inputs: [], documents: [], source: "line" }, context);
  const runs = inner !== null && (inner.runsInput || own[0]?.text.includes("{}") === true);
  const more = { names: names.length > 0 ? names : null };
  const role = runs ? "run" : "read";
  return {
    uses: [...folders.flatMap((word) => usesOfWord(word, known, role, more)), ...(inner?.uses ?? [])],
    runsInput: false,
  };
}
