import { type Suppression, suppressionsIn } from "./find-suppressions.ts";

/** A changed file; null where it does not exist. */
export interface ChangedSource {
  path: string;
  before: string | null;
  after: string | null;
  isTest: boolean;
}

/** A new suppression and its file. */
export interface PlacedSuppression extends Suppression {
  path: string;
}

/** `count`: how many there are more than before; `places`: where they may be, some of them if there are many. */
export interface NewSuppressions {
  count: number;
  places: readonly PlacedSuppression[];
}

export const NO_SUPPRESSIONS: NewSuppressions = { count: 0, places: [] };

const MOST_PLACES = 1_000;
/** From here on, a suppression hides the findings in a block or a file. */
const WIDE = 3;

/**
 * Counts suppressions over all changed files, so that moving one, or replacing it with one that hides less, is not a
 * new one.
 */
export function suppressionTally(): { add(file: ChangedSource): void; result(): NewSuppressions } {
  const grown = new Map<string, number>();
  const narrowed: Narrowed[] = [];
  const come: PlacedSuppression[] = [];
  const gone: PlacedSuppression[] = [];
  return {
    add(file) {
      const [before, after] = [foundIn(file, file.before), foundIn(file, file.after)];
      const change = changeOf(before, after);
      if (file.after !== null) narrowed.push(...narrowedIn(change));
      for (const [kind, by] of change) grown.set(kind, (grown.get(kind) ?? 0) + by);
      keep(come, without(after, before));
      keep(gone, without(before, after));
    },
    result() {
      const kinds = newKinds(grown, narrowed);
      const count = [...kinds.values()].reduce((sum, by) => sum + by, 0);
      return { count, places: without(come, gone).filter((one) => kinds.has(kindOf(one))) };
    },
  };
}

function keep(list: PlacedSuppression[], more: readonly PlacedSuppression[]): void {
  list.push(...more.slice(0, MOST_PLACES - list.length));
}

/** In a test, an expected error is an assertion about types. */
const ASSERTS = /expect(?:ed)?-?error$/i;

function foundIn({ path, isTest }: ChangedSource, source: string | null): PlacedSuppression[] {
  const found = source === null ? [] : suppressionsIn(path, source);
  return found.filter(({ name }) => !(isTest && ASSERTS.test(name))).map((one) => ({ ...one, path }));
}

const kindOf = ({ tool, rank }: Suppression): string => `${rank} ${tool}`;
const toolOf = (kind: string): string => kind.slice(2);
const rankOf = (kind: string): number => Number(kind[0]);

function changeOf(before: readonly Suppression[], after: readonly Suppression[]): Map<string, number> {
  const change = new Map<string, number>();
  const add = (one: Suppression, by: number) => change.set(kindOf(one), (change.get(kindOf(one)) ?? 0) + by);
  for (const one of before) add(one, -1);
  for (const one of after) add(one, 1);
  return change;
}

/** In one file, suppressions of the kind `to` took the place of one of the wider kind `from`. */
interface Narrowed {
  from: string;
  to: string;
  by: number;
}

/** Replacing the suppression of a whole file with those of its lines hides less, however many they are. */
function narrowedIn(change: ReadonlyMap<string, number>): Narrowed[] {
  const lost = [...change].filter(([kind, by]) => by < 0 && rankOf(kind) >= WIDE).map(([kind]) => kind);
  return [...change].flatMap(([to, by]) => {
    const from = lost.find((wide) => toolOf(wide) === toolOf(to) && rankOf(to) < rankOf(wide));
    return by > 0 && from !== undefined ? [{ from, to, by }] : [];
  });
}

/** The kinds of which there are more, and how many. What a tool lost pays for what hides less. */
function newKinds(grown: ReadonlyMap<string, number>, narrowed: readonly Narrowed[]): Map<string, number> {
  const kinds = new Map<string, number>();
  const credit = new Map<string, number>();
  const isLess = ({ from }: Narrowed) => (grown.get(from) ?? 0) < 0;
  for (const [kind, by] of [...grown].sort(([a], [b]) => (a < b ? 1 : -1))) {
    const replaced = narrowed.filter((one) => one.to === kind && isLess(one)).reduce((sum, one) => sum + one.by, 0);
    const more = by > 0 ? Math.max(0, by - replaced) : by;
    const free = credit.get(toolOf(kind)) ?? 0;
    credit.set(toolOf(kind), Math.max(0, free - more));
    if (more > free) kinds.set(kind, more - free);
  }
  return kinds;
}

/** The first list without those of the second, compared by kind and text. */
function without(all: readonly PlacedSuppression[], others: readonly PlacedSuppression[]): PlacedSuppression[] {
  const left = new Map<string, number>();
  const keyOf = (one: PlacedSuppression) => `${kindOf(one)} ${one.text}`;
  for (const one of others) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  return all.filter((one) => {
    const times = left.get(keyOf(one)) ?? 0;
    if (times > 0) left.set(keyOf(one), times - 1);
    return times === 0;
  });
}
