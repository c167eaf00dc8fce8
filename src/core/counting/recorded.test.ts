import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testCounter } from "./counter.ts";
import { leafOf } from "./difference.ts";

/**
 * Recorded outputs, one after the other: `##### name | exit code | passed failed skipped | tests | files`, the command,
 * the output. Escape characters are written as `␛`; lines that no runner's summary contains were left out.
 */
const RECORDED = readFileSync(join(import.meta.dirname, "../../../test/fixtures/captures/runners.txt"), "utf8")
  .split(/^##### /m)
  .slice(1)
  .map((text): [name: string, expected: string, output: string] => {
    const [head = "", _command, ...lines] = text.split("\n");
    const [name = "", _exit, ...expected] = head.split(" |").map((part) => part.trim());
    return [name, expected.join(" | "), lines.join("\n").replaceAll("␛", "\u001b")];
  });

function summaryOf(output: string): string {
  const counter = testCounter();
  const take = counter.source();
  for (let i = 0; i < output.length; i += 1_000) take(output.slice(i, i + 1_000));
  const { counts, names } = counter.ran();
  const ran = Object.entries(names.tests).filter(([, [passed, failed]]) => passed + failed > 0);
  return [
    counts ? `${counts.passed} ${counts.failed} ${counts.skipped}` : "-",
    ran
      .map(([name]) => leafOf(name))
      .sort()
      .join(", "),
    Object.entries(names.files)
      .map(([file, count]) => (count > 0 ? `${file}:${count}` : file))
      .sort()
      .join(" "),
  ].join(" | ");
}

test("every recorded output is read as expected", () => {
  expect(RECORDED.length).toBeGreaterThan(240);
  for (const [name, expected, output] of RECORDED) expect([name, summaryOf(output)]).toEqual([name, expected]);
});
