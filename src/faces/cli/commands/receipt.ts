import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import type { CheckResult } from "../../../core/loop/events.ts";
import { commandName } from "../../../core/proof/methods/external.ts";
import { statementOf } from "../../../core/receipt/in-toto.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import type { FoundReceipt } from "../../../verify/receipts/files.ts";
import { allReceipts, findReceipt } from "../../../verify/receipts/find.ts";
import { journalWord } from "../../../verify/receipts/kept.ts";
import { receiptDigest } from "../../../verify/receipts/make.ts";
import { type ReceiptVerification, verifyReceipt } from "../../../verify/receipts/verify.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli, JsonOption } from "../context.ts";
import { checkLine } from "../live/console.ts";
import { catchSignals } from "../live/process.ts";
import { endWords, markOf } from "../views/end-lines.ts";
import { journalLine, receiptLines } from "../views/receipt-lines.ts";

interface ShowOptions extends JsonOption {
  inToto?: boolean;
}

export async function showCommand(cli: Cli, wanted: string, { json, inToto }: ShowOptions): Promise<void> {
  const found = await findReceipt(cli.cwd(), wanted);
  const { receipt, raw, file } = found;
  const journal = await journalWord(cli.cwd(), found);
  if (receiptDigest(raw) !== receipt.digest) {
    cli.report(
      paint("yellow", `! ${file} was changed after it was written: its digest does not match (ralph receipt verify)`),
    );
  }
  if (journal?.wrong) cli.report(paint("yellow", `! ${printable(journal.wrong)}`));
  if (inToto) cli.printJson(statementOf(receipt));
  else if (json) cli.printJson(raw);
  else {
    const lines = receiptLines(receipt, cli.width());
    cli.printLine([...lines, ...(journal ? [journalLine(journal)] : []), `  ${paint("dim", file)}`].join("\n"));
  }
}

interface VerifyOptions {
  rerun?: boolean;
  current?: boolean;
  strict?: boolean;
  json?: boolean;
}

export async function verifyCommand(cli: Cli, wanted: readonly string[], options: VerifyOptions): Promise<number> {
  const { rerun = false, current = false, strict = false, json = false } = options;
  const cwd = cli.cwd();
  const found = await receiptsOf(cwd, wanted);
  const stops = stopControl();
  const release = catchSignals(cli, stops);
  const done: ReceiptVerification[] = [];
  try {
    for (const receipt of found) {
      if (rerun) cli.report(paint("bold", `${receipt.file}: running its commands again`));
      const verified = await verifyReceipt(receipt, {
        cwd,
        rerun,
        current,
        strict,
        stops,
        view: { check: (...check) => reportCheck(cli, ...check) },
      });
      if (!verified || stops.request()) return EXIT.interrupted;
      done.push(verified);
      if (!json) cli.printWords(verificationLines(verified, rerun).join("\n"));
    }
  } finally {
    release();
  }
  const holds = done.every((one) => one.holds);
  if (json) cli.printJson({ holds, receipts: done });
  return holds ? EXIT.verified : EXIT.stopped;
}

/** Read before anything is run, so that a faulty one is reported first. */
async function receiptsOf(cwd: string, wanted: readonly string[]): Promise<FoundReceipt[]> {
  if (wanted.length === 0) return allReceipts(cwd);
  const found: FoundReceipt[] = [];
  for (const one of wanted) found.push(await findReceipt(cwd, one));
  return found;
}

/** Goes to standard error, also with --json, so that a long check is visible. */
function reportCheck(cli: Cli, kind: string, command: string, result: CheckResult | null): void {
  const [first = "", ...more] = command.trim().split("\n");
  cli.report(checkLine(kind, first, result));
  // The whole command is shown before it runs, because it comes from a file.
  const rest = commandName(first) === first ? more : [first, ...more];
  if (!result) for (const line of rest) cli.report(paint("dim", `    ${printable(line)}`));
  if (!result || result.is === "pass" || result.excerpt.trim() === "") return;
  for (const line of result.excerpt.trim().split("\n")) cli.report(paint("dim", `    ${printable(line)}`));
}

/** In another tree the receipt is valid only for its commit. */
function verificationLines(verified: ReceiptVerification, rerun: boolean): string[] {
  const { file, holds, title, reasons, notes, place, commit, proof, weak, tooWeak } = verified;
  const only = place === "moved" && !rerun && commit !== null ? ` for commit ${commit.slice(0, 12)}` : "";
  const missed = reasons.length > 0 ? "✗ no longer valid" : "✗ too weak";
  const mark = holds ? paint("green", `✓ valid${only}`) : paint("red", missed);
  return [
    `${mark}: ${file}  ${printable(title)}`,
    `  ${endWords(proof, weak, markOf)}`,
    ...(tooWeak ? [paint("red", `  ✗ --strict requires judged or better, and its proof is ${proof}`)] : []),
    ...reasons.map((reason) => paint("red", `  ✗ ${printable(reason)}`)),
    ...notes.map((note) => paint("yellow", `  ! ${printable(note)}`)),
  ];
}
