import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STOP_REASONS, stopFacts } from "./stop-reasons.ts";
import { reasonWords } from "./words.ts";

/** The table of docs/stop-reasons.md: the exit code of each reason. */
function documented(): Record<string, number> {
  const readme = readFileSync(new URL("../../../docs/stop-reasons.md", import.meta.url), "utf8");
  const table = readme.split("| stop reason | exit code | meaning |")[1]?.split("\n\n")[0] ?? "";
  const rows = table.split("\n").map((row) => row.split("|"));
  return Object.fromEntries(
    rows.flatMap(([, reasons = "", exit = ""]) =>
      [...reasons.matchAll(/`([\w-]+)`/g)].map(([, reason]) => [reason, Number.parseInt(exit, 10)]),
    ),
  );
}

test("the guide lists every stop reason with its exit code", () =>
  expect(documented()).toEqual(Object.fromEntries(STOP_REASONS.map((reason) => [reason, stopFacts(reason).exit]))));

test.each(STOP_REASONS)("%s says how to resume a run exactly if it pauses the run", (reason) => {
  const { next } = reasonWords(reason, "", { run: { run: "r1" } });
  expect(next.includes("ralph workflow resume r1")).toBe(stopFacts(reason).run === "paused");
});
