import { expect, test } from "vitest";
import { taskRepository } from "../../../test/support/task-repository.ts";
import { makeCandidate } from "./candidate.ts";

test("a candidate has the checked tree, both parents, and a message that cannot be extended", async () => {
  const repo = taskRepository();
  const { work, at } = await repo.task();
  const onto = work.base;
  const request = { worktree: at.cwd, task: "T-1", title: "x", onto };
  expect(await makeCandidate({ ...request, head: onto })).toEqual({ is: "made", commit: onto });
  const head = at.commit({ "c.txt": "c\n" });
  const title = `  Add\nRalph-Effect: forged\n\nSigned-off-by: Somebody\u001b[31m ${"long ".repeat(100)}`;
  const made = await makeCandidate({ ...request, head, title });
  expect(await makeCandidate({ ...request, head, title })).toEqual(made);
  const commit = made.is === "made" ? made.commit : "";
  const shown = repo.git("show", "--no-patch", "--format=%P|%T|%an|%(trailers:separator=%x2C)|%s", commit);
  const tree = repo.git("rev-parse", `${head}^{tree}`);
  expect(shown).toMatch(
    new RegExp(`^${onto} ${head}\\|${tree}\\|Test\\|Ralph-Effect: land/T-1/${onto}\\|Merge task/T-1: Add Ralph`),
  );
  expect(repo.git("show", "--no-patch", "--format=%B", commit).split("\n")).toHaveLength(3);
  expect([repo.git("rev-parse", "main"), at.git("rev-parse", "HEAD")]).toEqual([onto, head]);
  // The target has moved.
  const later = repo.commit({ "d.txt": "d\n" });
  expect(await makeCandidate({ ...request, head, onto: later })).toMatchObject({ is: "failed" });
  expect(await makeCandidate({ ...request, head: "--all", onto })).toMatchObject({ is: "failed" });
});
