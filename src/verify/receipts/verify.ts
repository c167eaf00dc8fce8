import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isInCommit } from "../../adapters/git/history.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { isBelow } from "../../adapters/io/inside.ts";
import { isStrictEnough, type Level, lowerLevel } from "../../core/proof/level.ts";
import { OUTSIDE } from "../../core/receipt/build.ts";
import { unrepeatable } from "../../core/receipt/commands.ts";
import { receiptLevel } from "../../core/receipt/level.ts";
import type { Receipt } from "../../core/schema/receipt.ts";
import { workingFolder } from "../command/check.ts";
import { differing } from "../tamper/values.ts";
import type { FoundReceipt } from "./files.ts";
import { journalWord } from "./kept.ts";
import { receiptDigest } from "./make.ts";
import { locateReceipt, type ReceiptLocation } from "./receipt-location.ts";
import { type Rerun, type RerunRequest, rerunCommands } from "./rerun.ts";

export interface ReceiptVerification {
  file: string;
  loop: string;
  title: string;
  holds: boolean;
  reasons: string[];
  notes: string[];
  proof: Level;
  weak: readonly string[];
  /** `--strict` was given, and the proof is below `judged`. */
  tooWeak: boolean;
  /** The proven commit; null if there was none. */
  commit: string | null;
  place: ReceiptLocation["is"];
  reruns: Rerun[];
}

interface VerifyRequest extends RerunRequest {
  /** Run the recorded commands again: their results decide about the current checkout. */
  rerun: boolean;
  /** The checkout must be exactly the proven tree. */
  current: boolean;
  /** A proof below `judged` is not enough. */
  strict: boolean;
}

/** Checks a receipt against itself, the repository and, if requested, its own commands. Null if stopped. */
export async function verifyReceipt(found: FoundReceipt, request: VerifyRequest): Promise<ReceiptVerification | null> {
  const { file, receipt, raw } = found;
  const { loop, title, proof, weak } = receipt;
  const tooWeak = request.strict && !isStrictEnough(proof);
  const about = { file, loop, title, commit: receipt.subject.commit, proof, weak, tooWeak };
  const refused = (why: string): ReceiptVerification => ({ ...about, ...REFUSED, reasons: [why] });
  const digest = receiptDigest(raw);
  if (digest !== receipt.digest) {
    // Nothing in it can be trusted, least of all its commands.
    return refused(`it was changed after it was made: its digest is ${digest}, but it says ${receipt.digest}`);
  }
  const root = checkoutRoot(request.cwd) ?? request.cwd;
  const cwd = folderIn(root, receipt.subject.folder);
  if (cwd === null) return refused(`the loop's folder ${receipt.subject.folder} leads out of this checkout`);
  const journal = await journalWord(request.cwd, found);
  if (journal?.wrong) return refused(journal.wrong);
  const place = await locateReceipt(request.cwd, receipt);
  const files = await changedFiles(cwd, receipt);
  const reruns = request.rerun && existsSync(cwd) ? await rerunCommands(receipt, { ...request, cwd }) : [];
  if (!reruns) return null;
  const asked = request.rerun ? rerunFindings(receipt, place, reruns) : NOTHING;
  const standing = standingFindings(place, request);
  const changes = fileFindings(files, place.is !== "moved" || request.rerun || request.current);
  const reasons = [
    ...unprovenIn(receipt),
    ...place.wrong,
    ...(existsSync(cwd) ? [] : [`the loop's folder ${receipt.subject.folder} is not in this checkout`]),
    ...standing.reasons,
    ...changes.reasons,
    ...asked.reasons,
  ];
  const notes = [...(journal?.note ? [journal.note] : []), ...standing.notes, ...changes.notes, ...asked.notes];
  return { ...about, holds: reasons.length === 0 && !tooWeak, reasons, notes, place: place.is, reruns };
}

const REFUSED = { holds: false, notes: [], place: "unknown", reruns: [] } satisfies Partial<ReceiptVerification>;

/** The real path of the folder; null if a symlink leads out of the checkout. */
function folderIn(root: string, folder: string): string | null {
  const found = workingFolder(root, folder);
  if ("path" in found) return found.path;
  return found.is === "unknown" ? null : resolve(root, folder);
}

/** A receipt that contradicts itself proves nothing, whatever its digest is. */
function unprovenIn(receipt: Receipt): string[] {
  const { checks, guardrails, proof } = receipt;
  const shown = receiptLevel(receipt);
  const failed = [...checks.filter(({ optional }) => !optional), ...guardrails].filter(({ is }) => is !== "pass");
  return [
    ...failed.map(({ name, is }) => `${name} did not pass: the receipt itself says ${is}`),
    ...(lowerLevel(proof, shown) === proof ? [] : [`it says ${proof}, but its own checks only show ${shown}`]),
  ];
}

interface Findings {
  reasons: string[];
  notes: string[];
}

const NOTHING: Findings = { reasons: [], notes: [] };

/** A tree that cannot be found cannot be inspected: only running its checks again could show anything. */
function standingFindings({ is, words, lost }: ReceiptLocation, { rerun, current }: VerifyRequest): Findings {
  if (is === "same") return NOTHING;
  const gone = lost === null ? [] : [lost];
  if (current) return { reasons: [...gone, words], notes: [] };
  if (rerun) return { reasons: [], notes: [...gone, words] };
  return { reasons: gone, notes: [`${words}; --rerun runs its checks here`] };
}

interface ChangedFiles {
  changed: string[];
  /** Files in no commit, such as personal ones: a clone cannot have them. */
  elsewhere: string[];
}

const leadsOut = (path: string, cwd: string): boolean =>
  path.startsWith(OUTSIDE) || path.startsWith("/") || !isBelow(resolve(cwd, path), checkoutRoot(cwd) ?? cwd);

async function changedFiles(cwd: string, { subject, protected: files }: Receipt): Promise<ChangedFiles> {
  const outside = files.map(({ path }) => path).filter((path) => leadsOut(path, cwd));
  const inside = files.filter(({ path }) => !outside.includes(path));
  const found: ChangedFiles = { changed: [], elsewhere: outside };
  const digests = Object.fromEntries(inside.map(({ path, digest }) => [path, digest]));
  for (const path of existsSync(cwd) ? differing(cwd, digests) : []) {
    const file = path.split("#")[0] ?? path;
    const isPersonal =
      subject.clean === true &&
      subject.commit !== null &&
      !existsSync(resolve(cwd, file)) &&
      !(await isInCommit(cwd, subject.commit, file));
    (isPersonal ? found.elsewhere : found.changed).push(path);
  }
  return found;
}

/** A change counts only if the question is about this checkout, not just about the proven commit. */
function fileFindings({ changed, elsewhere }: ChangedFiles, counts: boolean): Findings {
  const differ = changed.map((path) => `${path} decides completion and has changed`);
  const absent = elsewhere.map((path) => `${path} is in no commit, so it may have changed`);
  return counts ? { reasons: differ, notes: absent } : { reasons: [], notes: [...differ, ...absent] };
}

function rerunFindings(receipt: Receipt, place: ReceiptLocation, reruns: readonly Rerun[]): Findings {
  const failing = reruns.filter(({ now }) => now.is !== "pass");
  const words = ({ kind, name, was, now }: Rerun) =>
    `${kind} ${name}: ${now.is} (${now.reason}), but was ${was?.is ?? "not run"}`;
  const judged = unrepeatable(receipt).map((name) => `${name} was decided by a judge, which is not asked again`);
  const nothing = reruns.length === 0 && place.is !== "same";
  return {
    reasons: [
      ...failing.filter(({ required }) => required).map(words),
      ...(nothing ? ["there is no command in it to run again, so nothing proves this checkout"] : []),
    ],
    notes: [...failing.filter(({ required, was, now }) => !required && was?.is !== now.is).map(words), ...judged],
  };
}
