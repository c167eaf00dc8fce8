import type { Blobs } from "../../core/blobs.ts";
import { failedNames } from "../../core/counting/failed-names.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import type { FailingTests } from "../../core/why-decided.ts";
import { namesOf } from "./kept-names.ts";

/** The names of the tests that failed in these results. Sealed checks name none: the agent must not see them. */
export async function failingTestsOf(blobs: Blobs, results: readonly CheckResult[]): Promise<FailingTests> {
  const named = new Map<string, readonly string[]>();
  for (const { is, sealed, tests } of results) {
    const digest = tests?.names;
    if (is === "pass" || sealed || digest === undefined || !tests?.failed) continue;
    named.set(digest, failedNames(await namesOf(blobs, digest)));
  }
  return ({ tests }) => named.get(tests?.names ?? "") ?? [];
}
