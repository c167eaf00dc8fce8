import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entryAt, textAt } from "../io/look.ts";

/** Files are stored, compared and checked out byte for byte. */
export const EXACT = "* !diff -text -ident -filter !eol !working-tree-encoding\n";

/** These override the attributes of the checkout, so that no file is hidden from a diff or converted for it. */
export const SHOWN = "* diff -ident !filter !working-tree-encoding\n";

export interface Lent {
  objects: string;
  /** The text of its `info/exclude`. */
  excludes: string;
  format: string;
  attributes: string;
}

/** Written directly, because `git init` would apply the user's settings and templates. */
export function makeRepository(folder: string, lent: Lent): void {
  rmSync(folder, { recursive: true, force: true });
  for (const place of ["refs", "info", "objects/info"]) mkdirSync(join(folder, place), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("config", lent.format === "sha256" ? SHA256 : SHA1);
  write("HEAD", "ref: refs/heads/none\n");
  write("objects/info/alternates", `${lent.objects}\n`);
  write("info/attributes", lent.attributes);
  write("info/exclude", lent.excludes);
}

const SHA1 = "[core]\nrepositoryformatversion = 0\nbare = false\n";
const SHA256 = "[core]\nrepositoryformatversion = 1\nbare = false\n[extensions]\nobjectFormat = sha256\n";

/**
 * Gives a repository made by `makeRepository` its own configuration and attributes again. An agent can write them, and
 * both can name programs in ways that no setting overrides. Null, or why the folder is not such a repository.
 */
export function mendRepository(folder: string): string | null {
  for (const place of [folder, join(folder, "info")]) {
    // What a link leads to is not of Ralph.
    if (entryAt(place)?.isDirectory() === false) return `${place} is not a folder`;
  }
  if (entryAt(folder) === undefined) return `${folder} is gone`;
  const config = textIn(folder, "config");
  if (config !== SHA1 && config !== SHA256) replace(folder, "config", IS_SHA256.test(config) ? SHA256 : SHA1);
  const attributes = textIn(folder, "info/attributes");
  if (attributes !== EXACT && attributes !== SHOWN) replace(folder, "info/attributes", EXACT);
  return null;
}

const IS_SHA256 = /^\s*objectformat\s*=\s*"?sha256/im;

const textIn = (folder: string, name: string): string =>
  entryAt(join(folder, name))?.isFile() ? textAt(join(folder, name)) : "";

/** Another process may be reading it. */
function replace(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  const half = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  mkdirSync(join(path, ".."), { recursive: true });
  try {
    writeFileSync(half, text, { flag: "wx" });
    if (entryAt(path)?.isDirectory()) rmSync(path, { recursive: true, force: true });
    renameSync(half, path);
  } finally {
    rmSync(half, { force: true });
  }
}
