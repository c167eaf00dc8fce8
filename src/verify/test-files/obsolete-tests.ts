import { existsSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { textAt } from "../../adapters/io/look.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { definitionOf, linesOf } from "../../core/test-files/definitions.ts";
import type { Subject } from "../../core/test-files/subjects.ts";
import { readRecord } from "../tamper/record.ts";
import { blobsOf, type VerificationContext } from "../verification-context.ts";
import type { Work } from "../work.ts";
import { isUnchanged, takeInventory } from "./inventory.ts";
import { goneTitles, type Obsolete, obsoleteByName, subjectsOf } from "./obsolete.ts";
import { repositoryNow } from "./repository-now.ts";

const NONE: Obsolete = new Map();
const MOST_FILES = 200;

/**
 * By the trees of the start and of the claim: an obsolete feature and its tests. What a test uses must not live on, in
 * another file or under another name.
 */
export async function obsoleteTests(
  context: VerificationContext,
  state: LoopState,
  findWork: () => Promise<Work | null>,
): Promise<Obsolete> {
  const { cwd, tracked } = context.spec;
  const before = (await readRecord(blobsOf(context), state.fingerprints))?.record.tests ?? {};
  if (Object.entries(before).every(([path, file]) => isUnchanged(cwd, path, file))) return NONE;
  const gone = goneTitles(before, takeInventory(cwd, before));
  if (gone.size === 0 || gone.size > MOST_FILES) return NONE;
  if (!tracked) return obsoleteByName(cwd, gone, before);
  const work = await findWork();
  if (!work) return NONE;
  const prefix = relative(realpathSync(checkoutRoot(cwd) ?? cwd), realpathSync(cwd));
  const trees = { cwd, prefix, work, now: repositoryNow(cwd) };
  const isGone = remembered((subject: Subject) => isRemoved(subject, trees));
  const found = [...gone].map(async ([path, titles]) => {
    const obsolete = titles.map(async (title) => {
      const subjects = await Promise.all(subjectsOf(before[path], title).map(isGone));
      return subjects.length > 0 && subjects.every(Boolean) ? [title] : [];
    });
    return [path, new Set((await Promise.all(obsolete)).flat())] as const;
  });
  return new Map(await Promise.all(found));
}

function remembered<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<string, V>();
  return (key) => {
    const text = JSON.stringify(key);
    const value = known.get(text) ?? find(key);
    known.set(text, value);
    return value;
  };
}

interface Trees {
  /** The loop's folder, and where it is in the trees. */
  cwd: string;
  prefix: string;
  work: Work;
  now: ReturnType<typeof repositoryNow>;
}

/** A file that is gone, or a definition that is gone from one. */
async function isRemoved({ path, name }: Subject, trees: Trees): Promise<boolean> {
  const place = join(trees.prefix, path);
  if (trees.work.files.some(({ from }) => from === place)) return false;
  const text = await trees.work.textBefore(place);
  if (!existsSync(join(trees.cwd, path))) return linesOf(text).length > 0 && !livesOn(linesOf(text), trees);
  if (name === null || trees.now.mentions(path, name) || trees.now.defines(name)) return false;
  const definition = definitionOf(name, text);
  return definition !== "" && !livesOn(linesOf(definition), trees);
}

/** Whether most of these lines are now in a file that was added or changed. */
function livesOn(lines: readonly string[], { cwd, prefix, work }: Trees): boolean {
  const candidates = work.files.filter(({ change }) => change !== "deleted").slice(0, MOST_FILES);
  return candidates.some(({ path }) => {
    const now = new Set(linesOf(textAt(join(cwd, relative(prefix, path)))));
    return lines.filter((line) => now.has(line)).length * 2 > lines.length;
  });
}
