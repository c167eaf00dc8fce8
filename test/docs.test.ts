import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { withAgentFlags } from "../src/faces/cli/program/agent-options.ts";
import { everyCommand, helpOf, programOf, visible } from "./support/program.ts";

const read = (path: string): string => readFileSync(path, "utf8");
const markdownIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
    .map((name) => join(folder, name));

const GUIDES = readdirSync("docs")
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs", name));
const PAGES = ["README.md", ...GUIDES, ...markdownIn("examples")];

/** The shell blocks of a page, and what is typed in its recorded screens. */
const shellBlocks = (text: string): string[] =>
  [...text.matchAll(/^ *```(sh|console|bash)\n([\s\S]*?)^ *```/gm)].map(([, language, block = ""]) =>
    language === "console" ? block.replace(/^(?!\$ ).*$/gm, "") : block,
  );

/** Command lines as a user would type them, and mentions of commands in a text, which may leave arguments out. */
function commandLines(text: string): { line: string; isMention: boolean }[] {
  const blocks = shellBlocks(text).flatMap((block) => block.replaceAll("\\\n", " ").split("\n"));
  const inline = [...text.replace(/```[\s\S]*?```/g, "").matchAll(/`((?:npx )?ralph [^`]+)`/g)];
  const mentions = inline.map(([, code]) => (code ?? "").replaceAll("\n", " "));
  return [
    ...blocks.map((line) => ({ line: ralphIn(line), isMention: false })),
    ...mentions.map((line) => ({ line: ralphIn(line), isMention: true })),
  ].flatMap(({ line, isMention }) => (line === null ? [] : [{ line, isMention }]));
}

/** The part of a shell line that starts `ralph`, without comments, pipes and redirections. */
const ralphIn = (line: string): string | null =>
  /(?:^|&& |\| |; |\$ )\s*(?:[A-Z_]+=\S+ )*(?:npx )?(ralph(?: (?:"[^"]*"|'[^']*'|<[^>]*>|[^"'#|;&<>])*)?)/
    .exec(line)?.[1]
    ?.trim() ?? null;

/** The words of a command line; a placeholder such as `<loop>` or `[loop]` is a word too. */
function words(line: string): string[] {
  const found = line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|<[^>]*>|[^\s"'<])+/g);
  return [...found].slice(1).map(([word]) => word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_all, a, b) => a ?? b));
}

/** An ellipsis, an optional part or a choice: a description of command lines, not one of them. */
const isDescription = (line: string): boolean => /…|\.\.\.|[[\]{}]| \| |\betc\b/.test(line);

const PLACEHOLDERS: Record<string, string> = { "<n>": "2", "<usd>": "2", "<time>": "2m", "<shell>": "bash" };

const LEFT_OUT = ["commander.missingArgument", "commander.optionMissingArgument", "commander.help"];

/** What the program objects to in a command line, or null. */
async function objection({ line, isMention }: { line: string; isMention: boolean }): Promise<string | null> {
  const given = words(line).map((word) => PLACEHOLDERS[word] ?? word);
  try {
    const program = programOf();
    await program.parseAsync(withAgentFlags(program, given), { from: "user" });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 || (isMention && LEFT_OUT.includes(error.code)) ? null : error.message;
  }
}

async function objections(page: string): Promise<string[]> {
  const all: string[] = [];
  for (const command of commandLines(page)) {
    if (isDescription(command.line)) continue;
    const found = await objection(command);
    if (found) all.push(`${command.line}: ${found}`);
  }
  return all;
}

test.each(PAGES)("the commands and options of %s exist", async (page) => {
  expect(await objections(read(page))).toEqual([]);
});

test("the examples of every command's help are valid", async () => {
  const lines = everyCommand(programOf()).flatMap((command) =>
    [
      ...helpOf(command)
        .replaceAll("\\\n", "")
        .matchAll(/^ {2}(?:\S.* \| )?ralph .*$/gm),
    ]
      // What a command is for is written beside it.
      .map(([line]) => line.replace(/(?<=ralph .*\S) {4,}.*/, "")),
  );
  expect(lines.length).toBeGreaterThan(30);
  expect(await objections(["```sh", ...lines, "```"].join("\n"))).toEqual([]);
});

test("a wrong option or command in a page would be found", async () => {
  const page = "```sh\nralph run --promt x   # a typo\n```\nand `ralph stauts`.";
  expect(await objections(page)).toEqual([
    expect.stringMatching(/^ralph run --promt x: .*--promt/),
    expect.stringMatching(/^ralph stauts: .*stauts/),
  ]);
});

test("the README's table has every command that help shows, and no other", () => {
  const rows = [...read("README.md").matchAll(/^\| `ralph ([\w-]+)/gm)].map(([, name]) => name);
  const names = visible(programOf()).map((command) => command.name());
  expect([...new Set(rows)].sort()).toEqual(names.sort());
});

/** The anchor that a heading gets on GitHub. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/`|\*|\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

const headings = (text: string): string[] =>
  [...text.replace(/```[\s\S]*?```/g, "").matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? ""));

/** Links to files and headings of this repository. */
function linksOf(page: string): { path: string; anchor: string | undefined }[] {
  const text = read(page).replace(/```[\s\S]*?```/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? "")
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, anchor] = target.split("#");
      return { path: path ? normalize(join(dirname(page), path)) : page, anchor };
    });
}

test.each([...PAGES, "CONTRIBUTING.md", "CHANGELOG.md", "AGENTS.md"])("the links of %s lead somewhere", (page) => {
  const broken = linksOf(page).filter(
    ({ path, anchor }) => !existsSync(path) || (anchor && !headings(read(path)).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test("every guide can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const page of reached)
    for (const { path } of linksOf(page)) if (path.endsWith(".md") && existsSync(path)) reached.add(path);
  expect(GUIDES.filter((guide) => !reached.has(guide))).toEqual([]);
});

test.each(PAGES)("%s is short enough to be read", (page) => {
  expect(read(page).split("\n").length - 1).toBeLessThan(page === "README.md" ? 150 : 301);
});
