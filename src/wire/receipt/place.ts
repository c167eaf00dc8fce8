import type { Receipt } from "../../core/schema/receipt.ts";
import { filesBetween, isShallow, treeHashOf } from "../../git/history.ts";
import { headOf, isRepository } from "../../git/repository.ts";
import { cleanState, treeState } from "../../git/tree-state.ts";

/** How a checkout stands to the tree that a receipt is about. */
export interface Place {
  /**
   * `same`: it is that tree. `touched`: its commit is, but there are changes beside it. `moved`: it is another.
   * `unknown`: nobody can tell.
   */
  is: "same" | "touched" | "moved" | "unknown";
  /** In words, for people. */
  words: string;
  /** What of the receipt is not true of this repository. */
  wrong: string[];
}

/** Looks where a checkout stands, without changing anything. */
export async function placeOf(cwd: string, { subject }: Receipt): Promise<Place> {
  const { commit, gitTree, clean } = subject;
  if (commit === null) return unknown("there was no git commit when it was proven: which tree that was cannot be told");
  if (!(await isRepository(cwd)))
    return unknown("this is no git checkout: whether it is the proven tree cannot be told");
  const found = await treeHashOf(cwd, commit);
  const wrong =
    found !== "" && gitTree !== null && found !== gitTree
      ? [`commit ${short(commit)} has the tree ${short(found)}, and the receipt says ${short(gitTree)}`]
      : [];
  const place = clean ? await committedPlace(cwd, commit, gitTree) : await uncommittedPlace(cwd, subject);
  if (found !== "" || place.is === "same" || place.is === "touched") return { ...place, wrong };
  return { ...place, wrong: [`commit ${short(commit)} is not in this repository${await shallowWords(cwd)}`] };
}

const unknown = (words: string): Place => ({ is: "unknown", words, wrong: [] });

/** The history that a clone has, not its name, says whether a commit is there. */
const shallowWords = async (cwd: string): Promise<string> =>
  (await isShallow(cwd)) ? ": it is a shallow clone, fetch the whole history (fetch-depth: 0)" : "";

type Standing = Omit<Place, "wrong">;

async function committedPlace(cwd: string, commit: string, gitTree: string | null): Promise<Standing> {
  const [head, headTree, state] = await Promise.all([headOf(cwd), treeHashOf(cwd), treeState(cwd)]);
  const differs = gitTree === null ? null : await filesBetween(cwd, gitTree, headTree);
  if (head === commit || differs?.length === 0) {
    if (state === cleanState(head)) return { is: "same", words: `the checkout is the proven tree, ${short(commit)}` };
    return { is: "touched", words: `the checkout has changes beside the proven tree, ${short(commit)}` };
  }
  const files = differs === null ? "" : `: ${filesWords(differs)}`;
  return { is: "moved", words: `HEAD (${short(head) || "none"}) is another tree than the proven one${files}` };
}

async function uncommittedPlace(cwd: string, { commit, treeState: proven }: Receipt["subject"]): Promise<Standing> {
  if (proven === null) return { is: "unknown", words: "the state of the tree was not known when it was proven" };
  if ((await treeState(cwd)) === proven) {
    return { is: "same", words: "the checkout is the proven tree, with the same uncommitted changes" };
  }
  const words = `what was proven were uncommitted changes to ${short(commit ?? "")}, and this checkout is another tree`;
  return { is: "moved", words };
}

const MOST_FILES = 5;

function filesWords(files: readonly string[]): string {
  const more = files.length > MOST_FILES ? ` and ${files.length - MOST_FILES} more` : "";
  return `${files.slice(0, MOST_FILES).join(", ")}${more} differ${files.length === 1 ? "s" : ""}`;
}

/** A hash as people read it. */
export const short = (hash: string): string => hash.slice(0, 12);
