import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { git, isRepository } from "../../../../adapters/git/repository.ts";
import { IGNORED_PATTERNS } from "../../../../core/ralph-files.ts";
import type { DoctorFinding } from "./finding.ts";

const MOST_FILES = 200;

/** Whether git ignores the files that loops write to `.ralph`. Asks git, because other .gitignore files count too. */
export async function ignoreFinding(cwd: string): Promise<DoctorFinding[]> {
  const folder = join(cwd, ".ralph");
  const found = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!found || !(await isRepository(cwd))) return [];
  const name = "run files";
  const open = await committable(cwd, ralphFilesIn(folder));
  if (open.length === 0) return [{ name, is: "ok", says: "kept out of commits" }];
  const [first, ...others] = open;
  return [
    {
      name,
      is: "warning",
      says: `git does not ignore ${first}${others.length > 0 ? ` and ${others.length} more` : ""}`,
      hint: `the next loop lists them in .git/info/exclude, unless a .gitignore includes them: ${listed(IGNORED_PATTERNS)}; \`git rm --cached\` what is committed`,
    },
  ];
}

function ralphFilesIn(folder: string): string[] {
  const patterns = IGNORED_PATTERNS.map(
    (pattern) => new RegExp(`^${pattern.replaceAll(".", "\\.").replace(/\*+/g, ".*")}$`),
  );
  const names = readdirSync(folder).filter((name) => patterns.some((pattern) => pattern.test(name)));
  return names.slice(0, MOST_FILES).map((name) => join(".ralph", name));
}

async function committable(cwd: string, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const { stdout } = await git(cwd, "-c", "core.quotePath=false", "check-ignore", "--", ...files);
  const ignored = new Set(stdout.split("\n"));
  return files.filter((file) => !ignored.has(file));
}

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
