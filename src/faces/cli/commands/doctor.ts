import { EXIT } from "../../../core/errors.ts";
import { shorten } from "../../../core/excerpt.ts";
import { paint } from "../paint.ts";
import { printJson, printLine, table } from "../print.ts";
import { type DoctorFinding, examine } from "../setup/doctor.ts";

const MARKS = { ok: paint("green", "✓"), warning: paint("yellow", "!"), problem: paint("red", "✗") };
const NAME_CHARS = 13;
const MARGIN = " ".repeat(NAME_CHARS + 3);
const VALUE_CHARS = 80;

/** `ralph doctor`. */
export async function doctorCommand({ json = false }: { json?: boolean }): Promise<number> {
  const findings = await examine(process.cwd());
  if (json) printJson(findings);
  else for (const finding of findings) printLine(told(finding));
  return findings.some((finding) => finding.is === "problem") ? EXIT.stopped : EXIT.verified;
}

function told({ name, is, says, hint, values = [] }: DoctorFinding): string {
  const rows = values.map(({ key, value, from }) => [
    `${key} = ${shorten(JSON.stringify(value), VALUE_CHARS)}`,
    paint("dim", from),
  ]);
  const lines = [...says.split("\n"), ...(hint ? [hint] : []), ...(rows.length > 0 ? table(rows).split("\n") : [])];
  return `${MARKS[is]} ${name.padEnd(NAME_CHARS)} ${lines.join(`\n${MARGIN}`)}`;
}
