import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { foldersUpTo } from "../../adapters/io/inside.ts";
import { entryAt } from "../../adapters/io/look.ts";
import type { SetUpPlan } from "../../core/proof/proof.ts";

/** What sets up a fresh checkout, and which of its results may be reused. */
export interface SetUp {
  command: string;
  folder: string;
  /** Folders that it creates, relative to the checkout's root. */
  cached: readonly string[];
  /** Equal keys give equal results; null if that is unknown. */
  key: string | null;
}

export interface RoomCheckout {
  root: string;
  cwd: string;
  /** Its lockfiles, manifests and package manager settings. */
  files: readonly { path: string; blob: string }[];
  tree: string;
  /** The version of the node that its commands find. */
  nodeVersion: string;
}

const INSTALLERS: readonly { lockfile: string; command: string }[] = [
  { lockfile: "package-lock.json", command: "npm ci" },
  { lockfile: "npm-shrinkwrap.json", command: "npm ci" },
  { lockfile: "pnpm-lock.yaml", command: "pnpm install --frozen-lockfile" },
  { lockfile: "yarn.lock", command: "yarn install --frozen-lockfile" },
];
const LOCKFILES = [
  ...INSTALLERS.map(({ lockfile }) => lockfile),
  ...["bun.lock", "bun.lockb", "uv.lock", "poetry.lock", "Pipfile.lock", "requirements.txt"],
  ...["Cargo.lock", "go.sum", "Gemfile.lock", "composer.lock"],
];

/** Names of the files that determine the result of a setup. */
export const SETUP_FILES: readonly string[] = [
  ...LOCKFILES,
  ...["package.json", ".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs", "binding.gyp"],
];

/** The setup given in the criteria, or the one for the nearest lockfile; null if there is nothing to do. */
export function setUpOf({ setup, cached }: SetUpPlan, checkout: RoomCheckout): SetUp | null {
  const { root, cwd } = checkout;
  if (setup !== null) {
    const folders = cached.map((folder) => join(relative(root, cwd), folder));
    return { command: setup, folder: cwd, cached: folders, key: ownKey(setup, folders, checkout) };
  }
  const installer = installerOf(cwd, root);
  return installer && installOf(installer, cached, checkout);
}

interface Installer {
  lockfile: string;
  command: string;
  folder: string;
}

/** What installs a folder's packages, determined by the nearest lockfile up to the checkout's root. */
export function installerOf(cwd: string, root: string): Installer | null {
  for (const folder of foldersUpTo(cwd, root)) {
    const found = INSTALLERS.find(({ lockfile }) => isFile(join(folder, lockfile)));
    if (found) return { ...found, folder };
  }
  return null;
}

function installOf({ lockfile, command, folder }: Installer, cached: readonly string[], checkout: RoomCheckout): SetUp {
  const { root, cwd } = checkout;
  const folders = [...new Set([...moduleFolders(checkout), ...cached.map((name) => join(relative(root, cwd), name))])];
  const copies = command !== "npm ci" && /\bfile:/.test(readFileSync(join(folder, lockfile), "utf8"));
  const tree = copies || runsScripts(checkout) ? checkout.tree : "";
  return { command, folder, cached: folders, key: keyOf([command, relative(root, folder), tree], checkout) };
}

/** A symlink could lead anywhere, even to something endless. */
const isFile = (path: string): boolean => entryAt(path)?.isFile() ?? false;

/** Every package of the checkout may get a folder of modules. */
const moduleFolders = ({ files }: RoomCheckout): string[] =>
  files.filter(({ path }) => isNamed(path, "package.json")).map(({ path }) => join(dirname(path), "node_modules"));

const isNamed = (path: string, name: string): boolean => path === name || path.endsWith(`/${name}`);

/** A name may also be written with escapes. */
const INSTALL_SCRIPT = /"(?:pre|post)?(?:install|prepare|prepublish)"\s*:|\\u/;

/** The repository's own scripts can read any file: then only identical files give the same result. */
const runsScripts = ({ root, files }: RoomCheckout): boolean =>
  files.some(({ path }) => {
    if (!isNamed(path, "package.json")) return isNamed(path, "binding.gyp");
    const file = join(root, path);
    return !isFile(file) || INSTALL_SCRIPT.test(readFileSync(file, "utf8"));
  });

/** Without a lockfile it is unknown what the user's setup depends on. */
function ownKey(command: string, folders: readonly string[], checkout: RoomCheckout): string | null {
  const locked = checkout.files.some(({ path }) => LOCKFILES.some((name) => isNamed(path, name)));
  return locked && folders.length > 0
    ? keyOf([command, relative(checkout.root, checkout.cwd), ...folders], checkout)
    : null;
}

const keyOf = (words: readonly string[], { files, nodeVersion }: RoomCheckout): string =>
  createHash("sha256")
    .update(JSON.stringify([words, files, process.platform, process.arch, nodeVersion]))
    .digest("hex")
    .slice(0, 32);
