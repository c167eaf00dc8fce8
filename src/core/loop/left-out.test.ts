import { expect, test } from "vitest";
import { earlierWords, leftOutOf, leftOutWords, namedFiles } from "./left-out.ts";

test("files are named, up to five of them, and safe to print and to paste", () => {
  expect(earlierWords(namedFiles(["a"]))).toBe("left out of commits: 1 file that was changed before the loop began: a");
  expect(earlierWords(namedFiles(["a", "b", "c", "d", "e", "f", "g"]))).toMatch(
    /: 7 files that were changed .*: a, b, c, d, e and 2 more$/,
  );
  const [both, secrets] = leftOutWords(leftOutOf(["-x y'z", "b"], ["a\u001b[31m/.env"]) ?? {});
  expect(both).toMatch(/git add -- '-x y'\\''z' b \(/);
  expect(secrets).not.toContain("\u001b");
  expect(leftOutOf([], [])).toBeNull();
});
