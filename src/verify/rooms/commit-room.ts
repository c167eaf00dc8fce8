import { headOf } from "../../adapters/git/repository.ts";
import { differs, uncommittedFiles } from "../../adapters/git/tracked.ts";
import { addWorktree } from "../../adapters/git/worktree.ts";
import { firstNamed, shorten } from "../../core/excerpt.ts";
import type { Tamper } from "../../core/loop/events.ts";
import { tamperedIn } from "../tamper/tampering.ts";
import { blobsOf } from "../verification-context.ts";
import type { PlaceRequest, RoomContent } from "./room.ts";

/** The commit of the checkout. A text if there is none. */
export async function commitRoom(request: PlaceRequest): Promise<RoomContent | string> {
  const { cwd } = request.context.spec;
  const commit = await headOf(cwd);
  if (!commit) return "nothing is committed";
  return {
    commit,
    name: `commit ${short(commit)}`,
    fill: (root) => addWorktree({ cwd, path: root, commit }),
    restore: async () => null,
    tampered: (folder) => committedTampering(folder, commit, request),
    note: () => noteOf(cwd, commit),
  };
}

/** A commit can differ from the folder: a file that is unchanged here may be changed there. */
async function committedTampering(cwd: string, commit: string, { context, state }: PlaceRequest): Promise<Tamper[]> {
  const base = context.spec.part?.base ?? state?.baseline?.head;
  if (!state || !base) return [];
  const blobs = blobsOf(context);
  const tampered: Tamper[] = [];
  const { obsolete } = context;
  for (const { path, change } of await tamperedIn(cwd, { fingerprints: state.fingerprints, blobs, obsolete })) {
    // A file that was not committed when the loop started, or is not meant to be, is not tampering.
    if (await differs(cwd, [base, commit], path.split("#")[0] ?? "")) {
      tampered.push({ path, change: `${change}, in commit ${short(commit)}` });
    }
  }
  return tampered;
}

const short = (commit: string): string => commit.slice(0, 9);
const MOST_FILES = 10;

async function noteOf(cwd: string, commit: string): Promise<string> {
  const files = await uncommittedFiles(cwd);
  const on = `checked on commit ${short(commit)}, without ignored files`;
  if (files.length === 0) return on;
  const named = files.map((file) => shorten(file, 100));
  return `${on} and uncommitted changes: ${firstNamed(named, MOST_FILES)}`;
}
