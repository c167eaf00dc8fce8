import type { ChangedFile } from "../adapters/git/compare-trees.ts";
import { SETTINGS_PATHS } from "../adapters/settings/settings-files.ts";
import { isOfThisMachine } from "../core/fingerprints.ts";
import type { CheckResult, Verdict } from "../core/loop/events.ts";
import { isDeciding } from "../core/loop/results.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { WorkEvidence } from "../core/proof/evidence.ts";
import { isAsBefore } from "../core/proof/level.ts";
import { JUDGE_UNAVAILABLE, labelsOf } from "../core/proof/level-of.ts";
import { grewWords, weakWords } from "../core/proof/weakness.ts";
import { ROLES } from "../core/task/role.ts";
import { decidingKind } from "../core/test-files/file-role.ts";
import { decidedByNewTests } from "../core/test-files/own-tests.ts";
import { readRecord } from "./tamper/record.ts";
import { blobsOf, type VerificationContext } from "./verification-context.ts";
import type { Work } from "./work.ts";

interface Judged {
  verdict: Verdict;
  /** Null if it is unknown. */
  work: Work | null;
  evidence: WorkEvidence;
}

/** What weakens a pass, in words, and how the number of tests changed. */
export async function weaknessOf(
  context: VerificationContext,
  state: LoopState,
  { verdict, work, evidence }: Judged,
): Promise<Pick<Verdict, "weak" | "grew">> {
  const { spec } = context;
  const commands = verdict.checks.filter(isDeciding);
  const weak = weakWords({
    evidence,
    look: spec.part ? `ralph diff ${spec.part.task}` : "ralph diff",
    ownTests: work !== null && seesTests(context) && (await isOwn(work, commands)),
    noted: [...new Set(commands.flatMap(({ noted }) => noted ?? []))],
    judgeUnavailable: labelsOf(verdict.checks).includes(JUDGE_UNAVAILABLE),
    unprotected: decides(spec, verdict) && !(await isProtected(context, state)),
    // Only a sandbox could keep it from them.
    unsealed: verdict.checks.some(({ sealed }) => sealed),
    noBaseline: isAsBefore(verdict.proof) && commands.length > 0 && !spec.proof.baseline,
    unseen: isUnseen(state),
  });
  const grew = grewWords(verdict, state.baseline);
  return { ...(weak.length > 0 ? { weak } : {}), ...(grew ? { grew } : {}) };
}

/** Whether more than the agent's word was needed. */
export const decides = ({ guardrails }: Pick<LoopSpec, "guardrails">, { checks }: Pick<Verdict, "checks">): boolean =>
  guardrails.length > 0 || checks.some(isDeciding);

/** Changes of tests weaken only a coder's pass: other agents write tests or only review. */
const seesTests = ({ spec }: VerificationContext): boolean =>
  !spec.proof.testsMayChange && (!spec.part || ROLES[spec.part.place].measuresProof);

async function isOwn({ files, tests }: Work, commands: readonly CheckResult[]): Promise<boolean> {
  const fixed = commands.filter(({ since }) => since === "fixed");
  const isNew = ({ path, from, change }: ChangedFile) =>
    decidingKind(path) === "test" &&
    (change === "added" || (from !== undefined && change === "renamed" && decidingKind(from) !== "test"));
  const added = files.filter(isNew).map(({ path }) => path);
  if (fixed.length === 0 || added.length === 0) return false;
  return decidedByNewTests(fixed, { tests: await tests(), added: new Set(added) });
}

/** Whether anything that decides is watched, besides the settings files that every loop of a task watches. */
async function isProtected(context: VerificationContext, { fingerprints }: LoopState): Promise<boolean> {
  const settings: readonly string[] = SETTINGS_PATHS;
  const named = Object.keys(fingerprints).some((key) => !isOfThisMachine(key) && !settings.includes(key));
  if (named) return true;
  const known = await readRecord(blobsOf(context), fingerprints);
  return Object.keys(known?.record.tests ?? {}).length > 0;
}

/** Whether it cannot be seen if there was any work. */
const isUnseen = ({ spec, usedTools, turn }: LoopState): boolean =>
  spec !== null &&
  !spec.tracked &&
  spec.ends === "claim" &&
  spec.proof.zeroWorkGuard &&
  !usedTools &&
  turn?.tools === null;
