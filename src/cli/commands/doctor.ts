import { EXIT } from "../../core/errors.ts";
import { examine } from "../../wire/doctor.ts";
import { paint } from "../paint.ts";
import { printJson, printLine } from "../print.ts";

const MARKS = { ok: paint("green", "✓"), warning: paint("yellow", "!"), problem: paint("red", "✗") };

/** `ralph doctor`. */
export async function doctorCommand({ json = false }: { json?: boolean }): Promise<number> {
  const findings = await examine(process.cwd());
  if (json) printJson(findings);
  else {
    for (const { name, is, says, hint } of findings) {
      printLine(`${MARKS[is]} ${name.padEnd(13)} ${says}${hint ? `\n  ${"".padEnd(13)} ${hint}` : ""}`);
    }
  }
  return findings.some((finding) => finding.is === "problem") ? EXIT.stopped : EXIT.verified;
}
