import { EXIT } from "../../../core/errors.ts";
import { shorten } from "../../../core/excerpt.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli, JsonOption } from "../context.ts";
import { table } from "../output/table.ts";
import type { DoctorFinding } from "../setup/doctor/finding.ts";
import { examine } from "../setup/doctor.ts";

const MARKS = { ok: paint("green", "✓"), warning: paint("yellow", "!"), problem: paint("red", "✗") };
const NAME_CHARS = 13;
const MARGIN = " ".repeat(NAME_CHARS + 3);
const VALUE_CHARS = 80;

export async function doctorCommand(cli: Cli, { json = false }: JsonOption): Promise<number> {
  const findings = await examine(cli.cwd());
  if (json) cli.printJson(findings);
  else for (const finding of findings) cli.printLine(textOf(finding, cli.width()));
  return findings.some((finding) => finding.is === "problem") ? EXIT.stopped : EXIT.verified;
}

function textOf({ name, is, says, hint, values = [] }: DoctorFinding, width: number): string {
  const rows = values.map(({ key, value, from }) => [
    `${key} = ${shorten(JSON.stringify(value), VALUE_CHARS)}`,
    paint("dim", from),
  ]);
  const lines = [
    ...says.split("\n"),
    ...(hint ? [hint] : []),
    ...(rows.length > 0 ? table(rows, null, width).split("\n") : []),
  ];
  return `${MARKS[is]} ${name.padEnd(NAME_CHARS)} ${lines.join(`\n${MARGIN}`)}`;
}
