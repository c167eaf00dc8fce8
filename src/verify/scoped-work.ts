import { join, posix, relative } from "node:path";
import { leftOutOf } from "../adapters/git/left-out.ts";
import { snapshotRoot } from "../adapters/git/snapshots.ts";
import { LINK_MODE, REPOSITORY_MODE, type TreeChange, treeChanges } from "../adapters/git/tree-changes.ts";
import { checkoutRoot } from "../adapters/io/checkout.ts";
import type { CheckResult, Tamper } from "../core/loop/events.ts";
import { plainResult } from "../core/loop/results.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { BaselineState } from "../core/loop/state.ts";
import { coveredBy } from "../core/proof/changed-paths.ts";
import { isRalphFile } from "../core/ralph-files.ts";
import type { Place } from "./place.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { scopesBeside } from "./scopes-beside.ts";
import { snapshotGit, type VerificationContext } from "./verification-context.ts";

/** What has changed since the start of the loop, divided by its scope. */
export interface ScopedWork {
  /** The tree or commit that the loop started from. */
  start: string;
  /** The tree or commit that is judged. */
  claim: string;
  inside: readonly TreeChange[];
  outside: readonly Tamper[];
}

type StartTrees = Pick<BaselineState, "head" | "snapshot" | "accepted">;

/** A task is compared by its commits, because only they are merged; any other loop by the files of its checkout. */
const startOf = ({ part }: LoopSpec, baseline: StartTrees) =>
  part ? (part.proven ?? part.base ?? baseline.head) : (baseline.accepted ?? baseline.snapshot ?? "");

const claimOf = ({ part }: LoopSpec, { head, snapshot }: Pick<Place, "head" | "snapshot">): string =>
  part ? head : (snapshot ?? "");

/** Null if git cannot compare the trees. Without a scope, every change is inside. */
export async function scopedWork(
  context: VerificationContext,
  baseline: StartTrees & Pick<BaselineState, "made">,
  place: Pick<Place, "head" | "snapshot">,
): Promise<ScopedWork | null> {
  const { spec } = context;
  const [start, claim] = [startOf(spec, baseline), claimOf(spec, place)];
  if (start === "" || claim === "") return null;
  const { folder, run } = snapshotGit(context);
  const all = await treeChanges(run, start, claim);
  if (!all) return null;
  const changes = all.filter(({ path }) => !isRalphFile(path));
  const { scope } = spec.proof;
  if (scope.length === 0) return { start, claim, inside: changes, outside: [] };
  const root = snapshotRoot(folder, spec.cwd) ?? checkoutRoot(spec.cwd) ?? spec.cwd;
  const allowed = scopeOf(scope, { folder: spec.cwd, root });
  const isMade = coveredBy(baseline.made ?? []);
  const inside = changes.filter((change) => isAllowed(change, allowed));
  const strange = changes.filter((change) => !isAllowed(change, allowed) && !isMade(change.path));
  const others = strange.length > 0 ? await scopesBeside(context, root) : [];
  const outside = strange.filter((change) => !others.some((other) => isAllowed(change, other)));
  const strays = await stray(inside, allowed, async (hash) => (await run(["cat-file", "blob", hash])).stdout);
  const here = checkoutRoot(spec.cwd) ?? spec.cwd;
  const moved = here === root ? [] : [{ path: relative(root, join(here, ".git")), change: ADDED_REPOSITORY }];
  return {
    start,
    claim,
    inside,
    outside: [...moved, ...outside.map(named), ...strays, ...unreadable(folder, { start, claim }, allowed)].map(
      (one) => ({
        ...one,
        path: posix.relative(relative(root, spec.cwd), one.path),
      }),
    ),
  };
}

function isAllowed({ path, before }: TreeChange, scope: Scope): boolean {
  const allowed = scope.allows(path);
  return allowed === "all" || (allowed === "add" && before === null);
}

function named({ path, before, after }: TreeChange): Tamper {
  if (after?.mode === REPOSITORY_MODE) return { path, change: before ? "another commit" : ADDED_REPOSITORY };
  if (before === null) return { path, change: "added" };
  if (after === null) return { path, change: "deleted" };
  if (before.hash !== after.hash) return { path, change: after.mode === LINK_MODE ? "became a symlink" : "changed" };
  return { path, change: after.mode === "100755" ? "made executable" : "no longer executable" };
}

const ADDED_REPOSITORY = "added: a nested repository";
const NESTED = "a nested repository, whose content cannot be checked";

/** Links inside the scope whose target is not, which a check would follow, and files that git does not store. */
async function stray(
  inside: readonly TreeChange[],
  scope: Scope,
  read: (hash: string) => Promise<string>,
): Promise<Tamper[]> {
  const found: Tamper[] = [];
  for (const { path, before, after } of inside) {
    if (after?.mode === REPOSITORY_MODE && before?.mode !== REPOSITORY_MODE) found.push({ path, change: NESTED });
    if (after?.mode !== LINK_MODE) continue;
    const target = await read(after.hash);
    if (!leadsInside(path, target, scope)) found.push({ path, change: `a symlink that leaves the scope: ${target}` });
  }
  return found;
}

function leadsInside(path: string, target: string, scope: Scope): boolean {
  if (target === "" || target.startsWith("/")) return false;
  // Behind another link, `..` would lead elsewhere.
  if (
    `${target}/`
      .replace(/^(?:\.{0,2}\/)+/, "")
      .split("/")
      .includes("..")
  )
    return false;
  const full = posix.join(posix.dirname(path), target).replace(/\/$/, "");
  return !full.startsWith("..") && [full, `${full}/any`].some((one) => scope.allows(one) !== "nothing");
}

/** Nested repositories and files that could not be read: what a check would find in them is unknown. */
function unreadable(folder: string, { start, claim }: { start: string; claim: string }, scope: Scope): Tamper[] {
  const known = new Map(leftOutOf(folder, start).map(({ path, bytes }) => [path, bytes]));
  const fresh = leftOutOf(folder, claim).filter(({ path, bytes }) => !known.has(path) || known.get(path) !== bytes);
  return fresh.map(({ path, bytes }) => {
    const isInside = scope.allows(path.replace(/\/$/, "/any")) !== "nothing";
    const what = path.endsWith("/") ? "a nested repository" : bytes === null ? "an unreadable file" : `${bytes} bytes`;
    return { path, change: isInside ? `${what}, whose content cannot be checked` : `added: ${what}` };
  });
}

/** Without a comparison it is unknown whether the work is within its scope. */
export const incomparable = (): CheckResult =>
  plainResult({ name: "scope", command: "git diff-tree" }, { is: "unknown", reason: UNKNOWN_CHANGES });

/** Why there is no verdict. */
export const UNKNOWN_CHANGES = "git cannot determine what has changed since the loop started";
