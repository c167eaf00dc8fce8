import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sandbox } from "../../../test/support/sandbox.ts";
import { baseBranch } from "./repository.ts";

test("the remote's main branch, else the checked-out one", async () => {
  const box = sandbox();
  box.initGit();
  box.git("checkout", "--quiet", "-b", "feature/x");
  expect(await baseBranch(box.cwd)).toBe("feature/x");
  box.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
  expect(await baseBranch(box.cwd)).toBe("trunk");
  box.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD");
  box.git("checkout", "--quiet", "--detach");
  expect(await baseBranch(box.cwd)).toBe("");
  expect(await baseBranch(mkdtempSync(join(tmpdir(), "ralph-test-")))).toBe("");
});
