import { expect, test } from "vitest";
import { type ChangedPart, NO_EVIDENCE } from "../proof/evidence.ts";
import { evidenceText } from "./evidence-text.ts";

test("a judge gets a bounded list", () => {
  const fixture: ChangedPart = { kind: "fixture", path: "a.fixture", change: "changed", added: 1, removed: 2 };
  const place = { tool: "noqa", rank: 1, name: "noqa", path: "a.ts", line: 3, text: "// noqa" };
  const changed = Array.from({ length: 150 }, () => fixture);
  const many = { ...NO_EVIDENCE, changed, suppressions: { count: 1, places: [place] } };
  const lines = evidenceText(many).split("\n");
  expect(lines).toHaveLength(104);
  expect(lines[1]).toBe("- fixture: a.fixture (changed, 1 lines added, 2 removed)");
  expect(lines[101]).toBe("… and 50 more");
  expect(lines[103]).toBe("- a.ts:3 noqa: // noqa");
  expect(evidenceText(NO_EVIDENCE)).toMatch(/^No existing test/);
});
