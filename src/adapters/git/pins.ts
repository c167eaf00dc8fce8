import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkoutRoot, sharedFolder } from "../io/checkout.ts";
import { homeFolder } from "../io/environment.ts";
import { nulSplitter } from "../io/lines.ts";
import { runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";

/** Repository settings that could change what checks or Ralph itself can see. */
export interface GitPins {
  /** Null if it is not set. */
  values: Record<string, string | null>;
  overlooked: string[];
}

/** Keys of git's configuration that make a repository run programs, read other files or use another folder. */
const KEYS =
  /^(?:core\.(?:hookspath|fsmonitor|attributesfile|excludesfile|worktree|sparsecheckout)|include\.path|includeif\..*|filter\..*|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver)$/;
/** Attributes that change the contents of a diff or a checkout. */
const ATTRIBUTES = /\s(?:filter=|-?diff\b|merge=|working-tree-encoding=|ident\b|export-subst\b)/;
const BINARY = /\sbinary\b/;
const MEDIA =
  /\.(?:png|jpe?g|gif|ico|webp|avif|svg|pdf|zip|gz|tgz|woff2?|ttf|otf|eot|mp[34]|mov|wav|ogg|wasm|so|dll|exe|jar|bin|db|sqlite)\s/i;
/** Tools that install hooks: where one of them is used, hooks change during normal work. */
const HOOK_MANAGERS = /husky|lefthook|simple-git-hooks|yorkie|pre-commit|ghooks/;
const HOOK_FILES = [
  ".husky",
  "lefthook.yml",
  ".lefthook.yml",
  "lefthook.yaml",
  "lefthook.toml",
  ".pre-commit-config.yaml",
];
const MOST_HOOK_BYTES = 1 << 20;
const MOST_OVERLOOKED = 10_000;

/** Whether no hook manager changes the repository's hooks. */
export function hooksAreStill(root: string): boolean {
  const manifest = textOf(join(root, "package.json"));
  return !HOOK_FILES.some((name) => existsSync(join(root, name))) && !HOOK_MANAGERS.test(manifest ?? "");
}

/** Reads the settings of the repository that a folder is in. `hooks`: whether to include hooks. */
export async function gitPins(cwd: string, hooks: boolean): Promise<GitPins> {
  const [config, overlooked] = await Promise.all([git(cwd, "config", "--list", "-z", "--includes"), overlookedIn(cwd)]);
  const root = checkoutRoot(cwd);
  const shared = root === null ? null : sharedFolder(root);
  if (root === null || shared === null || config.code !== 0) return { values: NO_VALUES, overlooked };
  return {
    values: {
      "git config": configText(config.stdout, hooks),
      ".git/info/attributes": textOf(join(shared, "info", "attributes")),
      ".gitattributes": attributeText(textOf(join(root, ".gitattributes")) ?? ""),
      ...(hooks ? { ".git/hooks": hooksText(hooksFolder(config.stdout, root) ?? join(shared, "hooks")) } : {}),
    },
    overlooked,
  };
}

const NO_VALUES = { "git config": null, ".git/info/attributes": null, ".gitattributes": null };

/** The configured hooks folder, relative to the checkout's root. The last setting wins. */
function hooksFolder(list: string, root: string): string | null {
  const said = list.split("\0").findLast((entry) => entry.startsWith("core.hookspath\n"));
  const path = said?.slice("core.hookspath\n".length).replace(/^~(?=\/|$)/, homeFolder());
  return path ? resolve(root, path) : null;
}

/** One line for each relevant key, as `key=value`. */
function configText(list: string, hooks: boolean): string | null {
  const lines = list.split("\0").flatMap((entry) => {
    const [key = "", ...value] = entry.split("\n");
    if (!KEYS.test(key) || (!hooks && key === "core.hookspath")) return [];
    return [`${key}=${value.join(" ")}`];
  });
  return lines.length === 0 ? null : lines.sort().join("\n");
}

function attributeText(text: string): string | null {
  const lines = text.split("\n").filter((line) => {
    const counts = ATTRIBUTES.test(line) || (BINARY.test(line) && !MEDIA.test(line));
    return counts && !/^\s*#/.test(line) && !line.includes("filter=lfs");
  });
  return lines.length === 0 ? null : lines.map((line) => line.trim()).join("\n");
}

/** Each hook with its digest, without git's samples. */
function hooksText(folder: string): string | null {
  const lines = namesIn(folder)
    .filter((name) => !name.endsWith(".sample"))
    .sort()
    .map((name) => `${name} ${digest(join(folder, name))}`);
  return lines.length === 0 ? null : lines.join("\n");
}

/** The path may not be a folder: /dev/null is a common way to turn hooks off. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function digest(path: string): string {
  const text = textOf(path);
  return text === null ? "no plain file" : createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function textOf(path: string): string | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MOST_HOOK_BYTES ? readFileSync(path, "utf8") : null;
  } catch {
    return null; // missing or unreadable, also for git
  }
}

export async function trackedOf(cwd: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const { stdout } = await git(cwd, "ls-files", "-z", "--", ...paths.map((path) => `:(literal)${path}`));
  return stdout.split("\0").filter(Boolean);
}

/** Lower-case letters are `assume-unchanged`, `S` is `skip-worktree`. */
async function overlookedIn(cwd: string): Promise<string[]> {
  const found: string[] = [];
  const entries = nulSplitter((entry) => {
    if (/^(?:[a-z]|S) /.test(entry) && found.length < MOST_OVERLOOKED) found.push(entry.slice(2));
  });
  const args = ["ls-files", "-v", "-z"];
  const { code } = await runProgram({ file: "git", args, cwd, env: NO_PROMPTS, take: entries.add });
  // An unreadable list must count as a change from a known one.
  return code === 0 ? found : [...found, "what git could not tell"];
}
