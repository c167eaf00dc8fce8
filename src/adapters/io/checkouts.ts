import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { type Locations, locationsIn, type NamedFolder } from "../../core/location.ts";
import type { StateFolder } from "../../core/workspace.ts";
import { checkoutRoot } from "./checkout.ts";
import { isInside } from "./inside.ts";
import { jsonAt } from "./look.ts";
import { replaceFile } from "./replace-file.ts";
import { folderName } from "./repository-id.ts";

/** The checkouts that the journals of a state folder refer to, and their paths on this machine. */
interface Known {
  /** The path of the state folder when this was written. */
  state: string;
  checkouts: Readonly<Record<string, string>>;
}

/**
 * The names that journals use for folders on this machine: the state folder, the checkout of `cwd`, and other checkouts
 * that share the state folder. `remember` saves the path of this checkout for commands in other checkouts.
 */
export function locationsOf({ root }: StateFolder, cwd: string, remember: boolean): Locations {
  const own = realpathSync(checkoutRoot(cwd) ?? cwd);
  const foldersIn = (known: Known | null): NamedFolder[] => {
    const checkouts = Object.entries(withOwn(known, own, root)).map(([id, path]) => ({ name: `checkout/${id}`, path }));
    // A state folder may be inside a checkout, and a checkout inside another: the innermost names a path.
    return [{ name: "state", path: root }, ...checkouts.sort((a, b) => b.path.length - a.path.length)];
  };
  const known = knownIn(root);
  if (remember) keep(root, known, withOwn(known, own, root));
  return locationsIn(foldersIn(known), () => foldersIn(knownIn(root)));
}

/** After a repository has moved: the checkouts in its former folder are in the present one. */
export function relocateCheckouts(stateRoot: string, from: string, to: string): void {
  const known = knownIn(stateRoot);
  if (!known || from === to) return;
  const moved = (path: string) => (isInside(path, from) ? join(to, relative(from, path)) : path);
  const checkouts = Object.fromEntries(Object.entries(known.checkouts).map(([id, path]) => [id, moved(path)]));
  keep(stateRoot, known, checkouts);
}

function keep(root: string, known: Known | null, checkouts: Known["checkouts"]): void {
  const next = `${JSON.stringify({ state: root, checkouts } satisfies Known, null, 2)}\n`;
  if (known && next === `${JSON.stringify(known, null, 2)}\n`) return;
  replaceFile(fileIn(root), next);
}

/**
 * Adds the current checkout. If the state folder was moved or copied, its only known checkout is taken to be the
 * current one. Ralph's own checkouts, inside the state folder, are not added.
 */
function withOwn(known: Known | null, own: string, root: string): Known["checkouts"] {
  const { state = root, checkouts = {} } = known ?? {};
  const [only, another] = Object.keys(checkouts);
  if (isInside(own, root) || Object.values(checkouts).includes(own)) return checkouts;
  if (state !== root && only !== undefined && another === undefined) return { [only]: own };
  return { ...checkouts, [folderName(own)]: own };
}

const isTexts = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === "string";

const fileIn = (root: string): string => join(root, "checkouts.json");

/** Null if the file is missing or invalid. */
function knownIn(root: string): Known | null {
  const { state, checkouts } = Object(jsonAt(fileIn(root)));
  if (typeof state !== "string" || typeof checkouts !== "object" || checkouts === null) return null;
  return { state, checkouts: Object.fromEntries(Object.entries(checkouts).filter(isTexts)) };
}
