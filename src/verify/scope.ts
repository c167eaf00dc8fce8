import { relative, resolve } from "node:path";
import { isInside } from "../adapters/io/inside.ts";
import { RalphError } from "../core/errors.ts";
import type { ScopePattern } from "../core/proof/scope-overlap.ts";
import { matcherOf } from "./tamper/globs.ts";

/** What the agent may do with a path. `add`: it may create the file, and change it until the loop ends. */
type Allowed = "all" | "add" | "nothing";

/** Paths that the agent may change. */
export interface Scope {
  /** For a path relative to the checkout's root, with `/` as separator. */
  allows(path: string): Allowed;
}

/**
 * The scope that patterns of the loop's folder define: paths, folders with everything in them, and globs. `!` excludes
 * paths, whatever their position in the list; `+` allows new files only. Of several others, the last that matches counts.
 * `root` is the checkout that contains `folder`.
 */
export function scopeOf(patterns: readonly string[], place: { folder: string; root: string }): Scope {
  const found = patterns.map((pattern) => ({ mark: /^[!+]/.exec(pattern)?.[0], matches: matcherIn(pattern, place) }));
  const excluded = found.filter(({ mark }) => mark === "!");
  const allowed = found.filter(({ mark }) => mark !== "!").reverse();
  return {
    allows(path) {
      if (excluded.some(({ matches }) => matches(path))) return "nothing";
      const last = allowed.find(({ matches }) => matches(path));
      if (!last) return "nothing";
      return last.mark === "+" ? "add" : "all";
    },
  };
}

/** Unlike in `protect`, a name without a slash is a path in the loop's folder: an allow-list must not match more. */
function matcherIn(pattern: string, place: { folder: string; root: string }): (path: string) => boolean {
  const glob = fromRoot(pattern, place);
  if (glob === "") return () => true;
  // Names such as `[...slug]` and `(group)` are also what they say.
  const folder = glob.replace(/\/\*\*$/, "");
  const matches = [matcherOf(glob), matcherOf(`${glob}/**`)];
  return (path) => path === folder || path.startsWith(`${folder}/`) || matches.some((isMatch) => isMatch(path));
}

/** The patterns relative to the checkout's root, to compare two scopes. */
export const scopePatterns = (patterns: readonly string[], place: { folder: string; root: string }): ScopePattern[] =>
  patterns.map((pattern) => ({ excludes: pattern.startsWith("!"), glob: fromRoot(pattern, place) }));

function fromRoot(pattern: string, { folder, root }: { folder: string; root: string }): string {
  const glob = pattern.replace(/^[!+]/, "");
  if (glob.trim() === "") throw empty(pattern);
  // A glob that begins in a parent folder is resolved like a path.
  const full = resolve(folder, glob);
  if (glob.startsWith("/") || !isInside(full, root)) throw outside(pattern);
  return relative(root, full);
}

const empty = (pattern: string): RalphError =>
  new RalphError("scope-empty", `scope: ${JSON.stringify(pattern)} names no path`, {
    hint: `name paths relative to the loop's folder, such as ${pattern}src/**; a dot means everything in it`,
  });

const outside = (pattern: string): RalphError =>
  new RalphError("scope-outside", `scope: ${JSON.stringify(pattern)} leads out of the repository`, {
    hint: "name paths relative to the loop's folder, such as src/** or ../shared/**",
  });
