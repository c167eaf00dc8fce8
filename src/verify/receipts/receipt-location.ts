import { filesBetween, isShallow, treeHashOf } from "../../adapters/git/history.ts";
import { headOf, isRepository } from "../../adapters/git/repository.ts";
import { cleanState, treeState } from "../../adapters/git/tree-state.ts";
import { firstNamed } from "../../core/excerpt.ts";
import type { Receipt } from "../../core/schema/receipt.ts";

export interface ReceiptLocation {
  /** `touched`: the commit has that tree, but the checkout has other changes. */
  is: "same" | "touched" | "moved" | "unknown";
  words: string;
  /** Why the proven tree cannot be found here; null if it is in a commit or checked out. */
  lost: string | null;
  /** Statements of the receipt that are false for this repository. */
  wrong: string[];
}

export async function locateReceipt(cwd: string, { subject }: Receipt): Promise<ReceiptLocation> {
  const { commit, gitTree, clean } = subject;
  if (commit === null) return unknown("there was no git commit when it was proven, so the tree is unknown");
  if (!(await isRepository(cwd))) return unknown("this is not a git checkout, so it may not be the proven tree");
  const found = await treeHashOf(cwd, commit);
  const wrong =
    found !== "" && gitTree !== null && found !== gitTree
      ? [`commit ${short(commit)} has the tree ${short(found)}, but the receipt says ${short(gitTree)}`]
      : [];
  const place = clean ? await committedPlace(cwd, commit, gitTree) : await uncommittedPlace(cwd, subject);
  return { ...place, lost: place.is === "moved" ? await lostWords(cwd, subject, found) : null, wrong };
}

const unknown = (words: string): ReceiptLocation => ({ is: "unknown", words, lost: null, wrong: [] });

async function lostWords(cwd: string, { commit, clean }: Receipt["subject"], found: string): Promise<string | null> {
  if (!clean) return `the proof includes uncommitted changes to ${short(commit ?? "")}, which are in no commit`;
  if (found !== "") return null;
  const shallow = (await isShallow(cwd)) ? ": it is a shallow clone, fetch the whole history (fetch-depth: 0)" : "";
  return `commit ${short(commit ?? "")} is not in this repository${shallow}`;
}

type Standing = Omit<ReceiptLocation, "wrong" | "lost">;

async function committedPlace(cwd: string, commit: string, gitTree: string | null): Promise<Standing> {
  const [head, headTree, state] = await Promise.all([headOf(cwd), treeHashOf(cwd), treeState(cwd)]);
  const differs = gitTree === null ? null : await filesBetween(cwd, gitTree, headTree);
  if (head === commit || differs?.length === 0) {
    if (state === cleanState(head)) return { is: "same", words: `the checkout is the proven tree, ${short(commit)}` };
    return { is: "touched", words: `the checkout has changes on top of the proven tree, ${short(commit)}` };
  }
  const files = differs === null ? "" : `: ${filesWords(differs)}`;
  return { is: "moved", words: `HEAD (${short(head) || "none"}) is not the proven tree${files}` };
}

async function uncommittedPlace(cwd: string, { treeState: proven }: Receipt["subject"]): Promise<Standing> {
  if (proven === null) return { is: "unknown", words: "the state of the tree was unknown when it was proven" };
  if ((await treeState(cwd)) === proven) {
    return { is: "same", words: "the checkout is the proven tree, with the same uncommitted changes" };
  }
  return { is: "moved", words: "the checkout is not the proven tree" };
}

const filesWords = (files: readonly string[]): string => `${firstNamed(files)} differ${files.length === 1 ? "s" : ""}`;

const short = (hash: string): string => hash.slice(0, 12);
