import { shorten } from "../excerpt.ts";
import { type ChangedPart, NAMES, placeWords, type WorkEvidence } from "../proof/evidence.ts";

const MOST_LINES = 100;
const TEXT_CHARS = 160;

/** The evidence for a judge. */
export function evidenceText({ changed, suppressions }: WorkEvidence): string {
  if (changed.length + suppressions.count === 0)
    return "No existing test, snapshot, fixture or test helper was changed, and no suppression of findings was added.";
  const files = changed.map((part) => `- ${NAMES[part.kind]}: ${shorten(part.path, TEXT_CHARS)} (${amountOf(part)})`);
  const places = suppressions.places.map((one) => `- ${placeWords(one)}: ${shorten(one.text, TEXT_CHARS)}`);
  return [
    ...section(
      "These files decide whether tests pass. They existed before the work, and the work changed them:",
      files,
    ),
    ...section(
      `Suppressions of the findings of compilers, linters and coverage, ${suppressions.count} more than before:`,
      places,
    ),
  ].join("\n");
}

const amountOf = ({ change, added, removed }: ChangedPart): string =>
  change === "deleted" || removed === null ? change : `${change}, ${added} lines added, ${removed} removed`;

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MOST_LINES;
  return [title, ...lines.slice(0, MOST_LINES), ...(more > 0 ? [`… and ${more} more`] : [])];
}
