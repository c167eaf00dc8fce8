import { printable } from "../../../core/ansi.ts";
import { formatDuration } from "../../../core/duration.ts";
import { counted } from "../../../core/excerpt.ts";
import { chainWords } from "../../../core/journal-words.ts";
import { LEVEL_WORDS } from "../../../core/proof/level.ts";
import { protectionWords } from "../../../core/proof/words.ts";
import type { Receipt, ReceiptCheck } from "../../../core/schema/receipt.ts";
import { dollars } from "../../../core/usage.ts";
import { testCountWords } from "../../../core/why-words.ts";
import type { JournalWord } from "../../../verify/receipts/kept.ts";
import { wrapCells } from "../../terminal/cells.ts";
import { paint } from "../../terminal/paint.ts";
import { markOf } from "./end-lines.ts";

/** A receipt as text of at most `width` columns: the claim, the proof, the agents and the commit. */
export function receiptLines(receipt: Receipt, width = Number.POSITIVE_INFINITY): string[] {
  return allLines(receipt).map((line) => hanging(line, width));
}

const INDENT = 12;

/** Continues a row that is too wide below its value. */
function hanging(line: string, width: number): string {
  const room = Math.max(20, width - INDENT);
  const [first = "", ...more] = wrapCells(line, room + INDENT).split("\n");
  if (more.length === 0) return line;
  const rest = wrapCells(more.map((part) => part.trimStart()).join(" "), room);
  return [first, ...rest.split("\n").map((part) => `${" ".repeat(INDENT)}${part}`)].join("\n");
}

function allLines(receipt: Receipt): string[] {
  const { criteria, labels, checks, guardrails, contradictions, proof, weak } = receipt;
  return [
    `${paint("bold", `receipt of loop ${printable(receipt.loop)}`)}  ${printable(receipt.title)}`,
    ...labels.map((label) => paint("yellow", `  ! ${printable(label)}: the proof is weaker than it looks`)),
    row(
      "claimed",
      printable(receipt.claim) || "nothing: the checks ended the loop, after an iteration without a promise",
    ),
    ...(criteria.outcome ? [row("outcome", printable(criteria.outcome))] : []),
    row("proof", markOf(proof, `${proof}: ${LEVEL_WORDS[proof].means}`)),
    ...weak.map((words) => row("weak", paint("yellow", printable(words)))),
    row("verdict", `${printable(receipt.verdict)}, ${receipt.completedAt}`),
    ...acceptanceLines(criteria.acceptance),
    ...checks.flatMap((check) => checkLines(check)),
    ...guardrails.map(({ is, command }) => row("guardrail", `${mark(is)} ${printable(command)}`)),
    ...contradictions.map(({ rule, quote }) => row("doubt", paint("yellow", `${rule}: “${printable(quote)}”`))),
    ...subjectLines(receipt.subject),
    ...conditionLines(criteria),
    row("protected", protectedWords(receipt.protected)),
    row("agent", agentWords(receipt)),
    row("took", costWords(receipt)),
    row("tool", `${printable(receipt.tool.name)} ${printable(receipt.tool.version)}`),
    // With its prefix, it would be too wide for many terminals.
    row("sha256", receipt.digest.replace(/^sha256:/, "")),
  ];
}

/** How the checks were kept out of the agent's reach. Receipts of earlier versions do not have all of it. */
function conditionLines({
  scope = [],
  cleanRoom,
  differential = false,
  services = false,
}: Receipt["criteria"]): string[] {
  const { mode, setup } = cleanRoom ?? {};
  const room = cleanRoom ? ({ mode: mode === "oracle" ? mode : "commit", setup: setup ?? null } as const) : null;
  return [
    ...(scope.length > 0 ? [row("scope", printable(scope.join(", ")))] : []),
    ...protectionWords({ scope: [], cleanRoom: room, differential, services }).map((words) =>
      row("with", printable(words)),
    ),
  ];
}

const row = (name: string, value: string): string => `  ${paint("dim", name.padEnd(9))} ${value}`;

function mark(is: ReceiptCheck["is"]): string {
  if (is === "pass") return paint("green", "✓");
  return is === "fail" ? paint("red", "✗") : paint("yellow", "?");
}

function acceptanceLines(acceptance: Receipt["criteria"]["acceptance"]): string[] {
  if (acceptance.length === 0) return [];
  const proved = acceptance.filter((criterion) => criterion.proved).length;
  return [
    row("criteria", `${proved}/${acceptance.length} proved`),
    ...acceptance.map((one) => row("", `${mark(one.proved ? "pass" : "unknown")} ${printable(one.text)}`)),
  ];
}

function checkLines(check: ReceiptCheck): string[] {
  const facts = [
    printable(check.reason),
    formatDuration(check.ms),
    ...(check.since ? [printable(check.since)] : []),
    ...(check.tests ? [testCountWords(check.tests)] : []),
    ...(check.optional ? ["only warns"] : []),
    ...(check.cached ? ["taken over"] : []),
    ...(check.label ? [paint("yellow", printable(check.label))] : []),
  ];
  return [
    row(
      "check",
      `${mark(check.is)} ${printable(check.command || check.name)} ${paint("dim", `(${facts.join(", ")})`)}`,
    ),
    ...check.findings.map(({ criterion, is, quote }) =>
      row("", `${printable(is)}: ${printable(criterion)} ${paint("dim", `“${printable(quote)}”`)}`),
    ),
  ];
}

function subjectLines({ commit, gitTree, clean, folder }: Receipt["subject"]): string[] {
  const inFolder = folder === "." ? "" : ` in ${printable(folder)}`;
  if (commit === null) return [row("commit", `none: there was no git commit${inFolder}`)];
  const beside = clean ? "" : paint("yellow", " with uncommitted changes: the proven state is in no commit");
  return [row("commit", `${commit}${inFolder}${beside}`), ...(gitTree ? [row("tree", gitTree)] : [])];
}

/** Files, and single values in files, such as a script in `package.json`. */
function protectedWords(all: Receipt["protected"]): string {
  const parts = all.filter(({ path }) => path.includes("#")).length;
  return [
    ...(parts < all.length || parts === 0 ? [counted(all.length - parts, "file")] : []),
    ...(parts > 0 ? [counted(parts, "setting")] : []),
  ].join(", ");
}

function agentWords({ agent, agents }: Receipt): string {
  const name = (command: string, models: readonly string[]) =>
    printable(models.length > 0 ? `${command} (${models.join(", ")})` : command);
  if (agents.length < 2) return name(agent.command, agent.model === null ? [] : [agent.model]);
  return agents.map((one) => `${name(one.command, one.models)} ${counted(one.iterations, "iteration")}`).join(", ");
}

const costWords = ({ iterations, usage, activeMs }: Receipt): string =>
  [
    counted(iterations, "iteration"),
    formatDuration(activeMs),
    ...(usage.costUsd > 0 ? [dollars(usage.costUsd)] : []),
    ...(usage.tokens > 0 ? [`${usage.tokens} tokens`] : []),
  ].join(", ");

/** The receipt's place in the journal, and the hash of the journal up to it. */
export const journalLine = ({ check, entry }: JournalWord): string =>
  row("journal", [...(entry === null ? [] : [`entry ${entry}`]), chainWords(check)].join(", "));
