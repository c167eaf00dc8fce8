import { compareRuns, contradiction, type Finding } from "../../core/counting/compare.ts";
import { isInverted, subsetWords } from "../../core/counting/subset.ts";
import { firstNamed } from "../../core/excerpt.ts";
import type { CheckResult, TestCounts } from "../../core/loop/events.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { Leaf } from "../../core/proof/proof.ts";
import { ROLES } from "../../core/task/role.ts";
import { readRecord } from "../tamper/record.ts";
import { takeInventory } from "../test-files/inventory.ts";
import { blobsOf, type StageContext } from "../verification-context.ts";
import { namesOf } from "./kept-names.ts";
import { silentFiles, sourceFacts } from "./test-sources.ts";

/** A check that passes, with what its tests say: they may show that it proves nothing. */
export async function withCounts(ran: CheckResult, leaf: Leaf, context: StageContext): Promise<CheckResult> {
  const result = ran.subset === undefined ? ran : { ...ran, noted: subsetWords(ran.subset) };
  if (leaf.method !== "external" || result.is !== "pass" || leaf.successExitCode !== 0) return result;
  if (isInverted(leaf.command)) return result;
  const finding = await findingOf(result, context);
  if (finding === null) return result;
  if ("note" in finding) return { ...result, noted: finding.note };
  return { ...result, is: "fail", reason: `${result.reason}, but ${finding.fault}` };
}

async function findingOf({ name, command, tests, subset }: CheckResult, context: StageContext): Promise<Finding> {
  const { state } = context;
  const counts = tests ?? null;
  if (subset !== undefined) {
    const failed = counts && counts.failed > 0 ? contradiction(counts) : null;
    return failed === null ? null : { fault: failed };
  }
  const wrong = contradiction(counts);
  if (wrong) return { fault: wrong };
  if (!state) return null;
  const before = countedBefore(state, name);
  const compare = before ? await compared({ before, now: counts, name }, context, state) : null;
  if (compare && "fault" in compare) return compare;
  const silent = await silentIn(command, counts, context, state);
  return silent.length > 0
    ? { fault: `none of the tests in ${firstNamed(silent)} ran, although the file did` }
    : compare;
}

/** A command that selects tests by their names may select none of a file. */
const SELECTS = /--test-name-pattern|--test-only|--grep|--testNamePattern|(?:^|\s)-[gtk](?:\s|=)/;

/** Unlike the comparison with the baseline, this needs none: the checks may have failed before any test ran. */
async function silentIn(
  command: string,
  counts: TestCounts | null,
  context: StageContext,
  { spec, fingerprints }: LoopState,
): Promise<string[]> {
  if (counts?.names === undefined || SELECTS.test(command) || spec?.proof.testsMayChange) return [];
  const blobs = blobsOf(context);
  const known = (await readRecord(blobs, fingerprints))?.record.tests ?? {};
  return silentFiles(known, await namesOf(blobs, counts.names));
}

const countedBefore = ({ spec, baseline }: LoopState, name: string): TestCounts | undefined =>
  spec?.part?.counted?.[name] ?? baseline?.counted?.[name];

async function compared(
  { before, now, name }: { before: TestCounts; now: TestCounts | null; name: string },
  context: StageContext,
  state: LoopState,
): Promise<Finding> {
  const { spec, setting, obsolete } = context;
  const blobs = blobsOf(context);
  const [old, running] = [await namesOf(blobs, before.names), await namesOf(blobs, now?.names)];
  const watched = (await readRecord(blobs, state.fingerprints))?.record.tests ?? {};
  const role = spec.part && ROLES[spec.part.place];
  return compareRuns(
    {
      before: { counts: before, names: old },
      now: { counts: now, names: running },
      wasGreen: (spec.part?.was ?? state.baseline?.was)?.[name] === "pass",
      tests: spec.proof.testsMayChange ? (role?.writesTests ? "rewritten" : "free") : "kept",
    },
    sourceFacts({ before: watched, now: () => takeInventory(setting.cwd, watched), ran: old, running, obsolete }),
  );
}
