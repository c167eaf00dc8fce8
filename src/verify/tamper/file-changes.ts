import { resolve } from "node:path";
import type { Tamper } from "../../core/loop/events.ts";
import { hasEffect, weakenings } from "../../core/tamper/effects.ts";
import { changedMakefiles, isMakefile } from "../../core/tamper/makefile.ts";
import { contentChange, fileChange, weakerWords } from "./change-words.ts";
import { type FileState, openLook, sameState, stateDigest } from "./file-state.ts";
import { contentOf, copyOf, type KeptRecord } from "./record.ts";

/** Whether a changed file is compared by what it does. */
export const isByEffect = (path: string): boolean => isMakefile(path) || hasEffect(path);

/** Frozen files that changed, except for changes without an effect on the checks. */
export async function fileChanges({ record, kept }: KeptRecord, root: string): Promise<Tamper[]> {
  const look = openLook(root);
  const changed: Tamper[] = [];
  const makefiles = new Map<string, { before: string; after: string }>();
  for (const [path, before] of Object.entries(record.files)) {
    const after = look.state(path);
    const isCompared = record.byEffect?.includes(path) === true;
    if (sameState(before, after) && !(isCompared && isMakefile(path))) continue;
    const contents = { before: await copyOf(kept, before.sha), after: contentOf(resolve(root, path)) };
    const tamper = { path, change: fileChange(before, after, contents) };
    const texts = isCompared ? textsOf(before, after, contents) : null;
    if (texts?.before != null && isMakefile(path)) makefiles.set(path, { before: texts.before, after: texts.after });
    else if (!sameState(before, after)) changed.push(...byEffect(tamper, texts));
  }
  return [...changed, ...makeChanges(makefiles, record.goals ?? [])];
}

type Texts = { before: string | null; after: string };

/** Null if more than the text of a file changed. */
function textsOf(
  before: FileState,
  after: FileState,
  contents: { before: Buffer | null; after: Buffer | null },
): Texts | null {
  const isText = after.is === "file" && contents.after !== null;
  if (!isText || stateDigest({ ...before, is: "file", sha: "" }) !== stateDigest({ ...after, sha: "" })) return null;
  if (before.is === "absent") return { before: null, after: contents.after?.toString("utf8") ?? "" };
  return contents.before && { before: contents.before.toString("utf8"), after: contents.after?.toString("utf8") ?? "" };
}

/** The change of a file or value, unless its effect is known to be the same or stricter. */
export function byEffect(tamper: Tamper, texts: { before: string | null; after: string | null } | null): Tamper[] {
  const weaker = texts && weakenings(tamper.path, texts.before, texts.after);
  if (!weaker) return [tamper];
  return weaker.length === 0 ? [] : [{ ...tamper, change: weakerWords(weaker) }];
}

function makeChanges(
  files: ReadonlyMap<string, { before: string; after: string }>,
  goals: readonly string[],
): Tamper[] {
  const of = (side: "before" | "after") => new Map([...files].map(([path, texts]) => [path, texts[side]]));
  return changedMakefiles(of("before"), of("after"), goals).map((path) => {
    const { before = "", after = "" } = files.get(path) ?? {};
    return { path, change: contentChange(Buffer.from(before), Buffer.from(after)) };
  });
}
