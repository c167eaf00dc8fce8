import { expect, test } from "vitest";
import { earlierWords, leftOutOf, leftOutWords, namedFiles } from "./left-out.ts";

const NONE = { both: [], secrets: [], ignored: [], repositories: [] };

test("files are named, up to five of them, and safe to print and to paste", () => {
  expect(earlierWords(namedFiles(["a"]))).toBe("left out of commits: 1 file that was changed before the loop began: a");
  expect(earlierWords(namedFiles(["a", "b", "c", "d", "e", "f", "g"]))).toMatch(
    /: 7 files that were changed .*: a, b, c, d, e and 2 more$/,
  );
  const [both, secrets] = leftOutWords(
    leftOutOf({ ...NONE, both: ["-x y'z", "b"], secrets: ["a\u001b[31m/.env"] }) ?? {},
  );
  expect(both).toMatch(/git add -- '-x y'\\''z' b \(/);
  expect(secrets).not.toContain("\u001b");
  expect(leftOutOf(NONE)).toBeNull();
  const [ignored, repository] = leftOutWords(leftOutOf({ ...NONE, ignored: ["a.log"], repositories: ["lib"] }) ?? {});
  expect(ignored).toMatch(
    /^not committed: a\.log: ignored by git when the loop began, .*: git add -- a\.log && git commit$/,
  );
  expect(repository).toMatch(/^not committed: lib: a git repository of its own, /);
});
