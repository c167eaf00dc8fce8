import type { Tamper } from "../../core/loop/events.ts";
import { lostAtoms } from "../../core/test-files/asserted.ts";
import type { FoundTest } from "../../core/test-files/found.ts";
import { type Inventory, type TestFile, takeInventory } from "./inventory.ts";
import { type Obsolete, obsoleteByName } from "./obsolete.ts";

const SHOWN = 3;

/**
 * Deleted, skipped, narrowed or weakened tests. Adding, moving, renaming and ambiguous changes are honest work, and so
 * are removing `obsolete` tests; without them, names decide which ones are.
 */
export function testChanges(root: string, before: Inventory, obsolete?: Obsolete): Tamper[] {
  const now = takeInventory(root, before);
  const missing = shortage(titlesOf(before, isAny), titlesOf(now, isAny));
  const silent = shortage(titlesOf(before, isRun), titlesOf(now, isRun));
  for (const [title, times] of missing) silent.set(title, (silent.get(title) ?? 0) - Math.max(0, times));
  const kept = assertionsOf(now) >= assertionsOf(before);
  const keptRows = rowsOf(now) >= rowsOf(before);
  const isObsolete = (path: string, title: string) =>
    (obsolete ?? obsoleteByName(root, new Map([[path, [title]]]), before)).get(path)?.has(title) === true;
  return [
    ...Object.entries(before).flatMap(([path, was]) =>
      was.sha === now[path]?.sha
        ? []
        : changesOf(was, now[path], {
            missing,
            silent,
            kept,
            keptRows,
            isObsolete: (title) => isObsolete(path, title),
          }).map((change) => ({ path, change })),
    ),
    ...narrowed(before, now),
  ];
}

export const runIn = (tests: Inventory): number =>
  Object.values(tests).reduce((sum, file) => sum + file.tests.filter(isRun).length, 0);

/** An agent that may change tests must not remove them: at least as many as before must remain. */
export function testsLeft(root: string, fewest: number): Tamper[] {
  const left = runIn(takeInventory(root));
  if (left >= fewest) return [];
  return [{ path: "tests", change: `${fewest} ran before, ${left === 0 ? "none" : left} run now` }];
}

interface Whole {
  missing: Map<string, number>;
  /** How many fewer times each title runs, of tests that still exist. */
  silent: Map<string, number>;
  kept: boolean;
  keptRows: boolean;
  isObsolete(title: string): boolean;
}

function changesOf(
  was: TestFile,
  is: TestFile = NO_TESTS,
  { missing, silent, kept, keptRows, isObsolete }: Whole,
): string[] {
  const fewer = sizeOf(was) - (hasNewTable(was, is) ? Number.POSITIVE_INFINITY : sizeOf(is));
  // With as many tests as before, a new title is not a deletion.
  const gone = fewer > 0 ? take(missing, was.tests.map(titleIn)).slice(0, fewer) : [];
  const removed = gone.filter((title) => !isObsolete(title));
  const skipped = [
    ...take(silent, was.tests.filter(isRun).map(titleIn)),
    ...(fewer > 0 ? [] : renamedAndSkipped(was, is)),
  ];
  // Several tests merged into one with a table need its assertions only once.
  const tabled = fewer <= 0 && is.tests.length < was.tests.length && is.assertions > 0;
  const weaker = is !== NO_TESTS && fewer >= 0 && gone.length === 0 && !tabled && isWeaker(was, is);
  const hollow = hollowed(was, is);
  // Moved tests took their assertions along.
  const moved = fewer > 0 && kept;
  return [
    ...(removed.length > 0 ? [testWords(removed, "deleted")] : []),
    ...(skipped.length > 0 ? [testWords([...new Set(skipped)], "skipped")] : []),
    ...(hollow.length > 0 ? [testWords(hollow, "without assertions now")] : []),
    ...(weaker && !moved ? [`assertions ${was.assertions} → ${is.assertions}`] : []),
    ...(gone.length === 0 && !keptRows && hasFewerRows(was, is) ? [`rows of tables ${was.rows} → ${is.rows}`] : []),
  ];
}

/** Merged assertions compare what they compared before. An old record does not say what was compared. */
const isWeaker = (was: TestFile, is: TestFile): boolean =>
  was.atoms
    ? is.assertions < was.assertions && lostAtoms(was.atoms, is.atoms ?? {})
    : is.assertions + (is.constants ?? 0) < was.assertions;

/** A row that becomes a test of its own is still compared. */
const hasFewerRows = ({ atoms = {}, tables = 0, rows = 0 }: TestFile, is: TestFile): boolean =>
  tables > 0 && tables <= (is.tables ?? 0) && (is.rows ?? 0) < rows && lostAtoms(atoms, is.atoms ?? {});

/** Tests of the same title that asserted something. */
function hollowed(was: TestFile, is: TestFile): string[] {
  if (!was.atoms || !lostAtoms(was.atoms, is.atoms ?? {})) return [];
  const empty = new Set(is.tests.filter(({ checks }) => checks === undefined).map(titleIn));
  return was.tests
    .filter(({ title, checks, skipped }) => checks !== undefined && !skipped && empty.has(title))
    .map(titleIn);
}

const NO_TESTS: TestFile = { sha: "", tests: [], only: 0, assertions: 0 };
const sizeOf = ({ tests }: TestFile): number => tests.reduce((sum, { rows = 1 }) => sum + Math.max(1, rows), 0);
/** A table from elsewhere may have any number of rows: what runs is counted. */
const hasNewTable = (was: TestFile, is: TestFile): boolean =>
  is.tests.some(({ title, rows }) => rows === 0 && !was.tests.some((test) => test.title === title));
const isAny = (): boolean => true;
const isRun = ({ skipped }: FoundTest): boolean => !skipped;
const titleIn = ({ title }: FoundTest): string => title;

/** Tests that were renamed and skipped at once: as many as before, but fewer of them run. */
function renamedAndSkipped(was: TestFile, is: TestFile): string[] {
  const fewer = was.tests.filter(isRun).length - is.tests.filter(isRun).length;
  const known = new Set(was.tests.filter(({ skipped }) => skipped).map(titleIn));
  const marked = is.tests.filter(({ title, skipped }) => skipped && !known.has(title)).map(titleIn);
  return marked.slice(0, Math.max(0, fewer));
}

function titlesOf(inventory: Inventory, counts: (test: FoundTest) => boolean): Map<string, number> {
  const times = new Map<string, number>();
  for (const { title } of Object.values(inventory).flatMap(({ tests }) => tests.filter(counts))) {
    times.set(title, (times.get(title) ?? 0) + 1);
  }
  return times;
}

const shortage = (before: Map<string, number>, now: Map<string, number>): Map<string, number> =>
  new Map([...before].map(([title, times]) => [title, times - (now.get(title) ?? 0)]));

function take(short: Map<string, number>, titles: readonly string[]): string[] {
  return titles.filter((title) => {
    const left = short.get(title) ?? 0;
    short.set(title, left - 1);
    return left > 0;
  });
}

const assertionsOf = (inventory: Inventory): number =>
  Object.values(inventory).reduce((sum, { assertions }) => sum + assertions, 0);

const rowsOf = (inventory: Inventory): number => Object.values(inventory).reduce((sum, { rows = 0 }) => sum + rows, 0);

const ONLY = "tests are marked as the only ones to run";
const HOOKS = "it now decides which tests run or changes their results";

/** A mark such as `.only` prevents other tests from running, wherever it is. */
const narrowed = (before: Inventory, now: Inventory): Tamper[] =>
  Object.entries(now).flatMap(([path, { only }]) =>
    only > (before[path]?.only ?? 0) ? [{ path, change: path.endsWith(".py") ? HOOKS : ONLY }] : [],
  );

function testWords(titles: readonly string[], word: string): string {
  const shown = titles.slice(0, SHOWN).map((title) => JSON.stringify(title));
  const more = titles.length > SHOWN ? ` and ${titles.length - SHOWN} more` : "";
  return `${titles.length} ${titles.length === 1 ? "test" : "tests"} ${word}: ${shown.join(", ")}${more}`;
}
