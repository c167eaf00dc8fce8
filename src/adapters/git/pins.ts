import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkoutRoot, sharedFolder } from "../io/checkout.ts";
import { homeFolder } from "../io/environment.ts";
import { nulSplitter } from "../io/lines.ts";
import { contentAt, namesIn, textAt } from "../io/look.ts";
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
/** Sections whose keys change neither what git shows nor what it checks out. */
const HARMLESS =
  /^(?:user|author|committer|remote|branch|url|push|pull|fetch|credential|http|https|ssh|gc|pack|maintenance|repack|prune|init|clone|color|column|advice|help|gpg|commit|tag|merge|mergetool|difftool|rebase|rerere|sequence|gui|gitk|github|gitlab|lfs|safe|feature|index|receive|transfer|uploadpack|protocol|extensions|trace2|worktree|checkout|interactive|stash|am|sendemail|web|browser|instaweb|bundle|fsck|lsrefs|man|notes|promisor|tar|versionsort|pager)\.|^submodule\..*(?:url|active|update|branch)$|^diff\.(?:tool|guitool|colormoved\w*|renames|renamelimit|algorithm)$|^core\.(?:editor|pager|repositoryformatversion|bare|logallrefupdates|precomposeunicode|preloadindex|untrackedcache|commitgraph|multipackindex|compression|loosecompression|bigfilethreshold|sshcommand|askpass|commentchar|abbrev|fscache|longpaths|splitindex|packedgit\w*|deltabasecachelimit|whitespace|warnambiguousrefs|fsync\w*|hidedotfiles|protectntfs|protecthfs)$/;
/** Set by `git init` to suit the file system: only another value counts. */
const DEFAULTS = new Set(["core.filemode=true", "core.ignorecase=false", "core.symlinks=true"]);
/** Where husky puts the hooks of a project, which run only when something commits. */
const HUSKY = /^\.husky(?:\/_)?\/?$/;
/** Lines that tools add for files of their own. */
const OF_TOOLS = /^\s*#|^\s*$|^(?:\*\*)?\/?\.(?:ralph|claude|codex|opencode|gemini|cursor|aider)\b/;
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
const MOST_OVERLOOKED = 10_000;

/** Whether no hook manager changes the repository's hooks. */
export function hooksAreStill(root: string): boolean {
  return (
    !HOOK_FILES.some((name) => existsSync(join(root, name))) && !HOOK_MANAGERS.test(textAt(join(root, "package.json")))
  );
}

/** Reads the settings of the repository that a folder is in. `hooks`: whether to include hooks. */
export async function gitPins(cwd: string, hooks: boolean): Promise<GitPins> {
  const [config, overlooked] = await Promise.all([git(cwd, "config", "--list", "-z", "--includes"), overlookedIn(cwd)]);
  const root = checkoutRoot(cwd);
  const shared = root === null ? null : sharedFolder(root);
  if (root === null || shared === null || config.code !== 0) return { values: NO_VALUES, overlooked };
  const entries = entriesOf(config.stdout);
  return {
    values: {
      "git config": linesOf(entries, (key) => KEYS.test(key) && (hooks || key !== HOOKS_PATH)),
      "git settings": linesOf(
        entries,
        (key, value) => !KEYS.test(key) && !HARMLESS.test(key) && !DEFAULTS.has(`${key}=${value}`),
      ),
      "git replacements": replacedIn(shared),
      ".git/info/exclude":
        textAt(join(shared, "info", "exclude"))
          .split("\n")
          .filter((line) => !OF_TOOLS.test(line))
          .join("\n") || null,
      ".git/info/attributes": textAt(join(shared, "info", "attributes")) || null,
      ".gitattributes": attributeText(textAt(join(root, ".gitattributes"))),
      ...(hooks ? { ".git/hooks": hooksText(hooksFolder(entries, root) ?? join(shared, "hooks")) } : {}),
    },
    overlooked,
  };
}

const NO_VALUES = Object.fromEntries(
  ["git config", "git settings", "git replacements", ".git/info/exclude", ".git/info/attributes", ".gitattributes"].map(
    (key) => [key, null],
  ),
);
const HOOKS_PATH = "core.hookspath";

type Entry = readonly [key: string, value: string];

/** Every entry of git's configuration but husky's folder of hooks. */
const entriesOf = (list: string): Entry[] =>
  list
    .split("\0")
    .map((entry): Entry => {
      const [key = "", ...value] = entry.split("\n");
      return [key, value.join(" ")];
    })
    .filter(([key, value]) => key !== "" && !(key === HOOKS_PATH && HUSKY.test(value)));

/** One line for each wanted key, as `key=value`. */
function linesOf(entries: readonly Entry[], wanted: (key: string, value: string) => boolean): string | null {
  const lines = entries.filter(([key, value]) => wanted(key, value)).map(([key, value]) => `${key}=${value}`);
  return lines.length === 0 ? null : lines.sort().join("\n");
}

/** Objects that git shows in place of others, and grafts. */
function replacedIn(shared: string): string | null {
  const loose = namesIn(join(shared, "refs", "replace"));
  const packed = textAt(join(shared, "packed-refs")).match(/^\w+ refs\/replace\/\w+$/gm) ?? [];
  const grafts = textAt(join(shared, "info", "grafts"))
    .split("\n")
    .filter(Boolean);
  const names = new Set([...loose, ...packed.map((line) => line.split("/").at(-1) ?? ""), ...grafts]);
  return names.size === 0 ? null : [...names].sort().join("\n");
}

/** The configured hooks folder, relative to the checkout's root. The last setting wins. */
function hooksFolder(entries: readonly Entry[], root: string): string | null {
  const [, said] = entries.findLast(([key]) => key === HOOKS_PATH) ?? [];
  const path = said?.replace(/^~(?=\/|$)/, homeFolder());
  return path ? resolve(root, path) : null;
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
    .map((name) => `${name} ${digest(join(folder, name))}`);
  return lines.length === 0 ? null : lines.join("\n");
}

function digest(path: string): string {
  const content = contentAt(path);
  return content ? createHash("sha256").update(content).digest("hex").slice(0, 12) : "no plain file";
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
