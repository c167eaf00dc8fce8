import { expect, test } from "vitest";
import { someSpec } from "../../../test/support/spec.ts";
import type { BreakableRule } from "../proof/proof.ts";
import { NO_USAGE } from "../usage.ts";
import { upcast } from "./upcast.ts";

test("tampered entries used to be a list of paths", () => {
  const verdict = { is: "fail", reason: "tampered", checks: [] } as const;
  const judged = { type: "claim.judged", n: 1, try: 1, usage: NO_USAGE } as const;
  expect(upcast({ ...judged, verdict: { ...verdict, tampered: ["check.sh"] } })).toEqual({
    ...judged,
    verdict: { ...verdict, tampered: [{ path: "check.sh", change: "changed" }] },
  });
});

test.each<[string, BreakableRule]>([
  ["no commit was made since the task began", "new-commit"],
  ["no commit since the task began has work in it (approvals do not count)", "new-commit"],
  ["no command that was run passes", "command-passed"],
  ["the work was not approved in the form that was asked for", "approval"],
  ["the work was approved with findings: approve it, or report findings", "approval"],
  ["files of the work were changed while it was looked at (a.txt)", "review-only"],
  ["the checked files are not committed (a.txt): commit them", "committed"],
  ["what was checked is not what is committed (a.txt): commit it", "committed"],
  ["git cannot tell what was done for the task", "git-readable"],
])("a broken rule used to be a text only: %s", (text, rule) => {
  const judged = { type: "claim.judged", n: 1, try: 1, usage: NO_USAGE } as const;
  const verdict = { is: "fail", reason: text, checks: [], broken: [text] } as const;
  expect(upcast({ ...judged, verdict })).toEqual({ ...judged, verdict: { ...verdict, brokenRules: [rule] } });
});

test("the labels of a verdict used to be repeated in a text", () => {
  const judged = { type: "claim.judged", n: 1, try: 1, usage: NO_USAGE } as const;
  const verdict = { is: "pass", reason: "nothing else was checked", checks: [] } as const;
  expect(upcast({ ...judged, verdict: { ...verdict, label: "promise only" } })).toEqual({
    ...judged,
    verdict: { ...verdict, proof: "promise-only" },
  });
});

test("current entries are read unchanged", () => {
  const started = { type: "loop.started", spec: someSpec(), fingerprints: { a: "1" } } as const;
  expect(upcast(started)).toEqual(started);
});

test("a proof without missing_ok allows no missing command", () => {
  const spec = someSpec();
  const { missingOk: _, ...proof } = spec.proof;
  const read = upcast({ type: "loop.started", spec: { ...spec, proof }, fingerprints: {} });
  expect(read).toEqual({
    type: "loop.started",
    spec: { ...spec, proof: { ...proof, missingOk: false } },
    fingerprints: {},
  });
});
