import { expect, test } from "vitest";
import { taskRepository } from "../../../test/support/task-repository.ts";
import { hardenedGit } from "./hardened-git.ts";

test.each<[string, Record<string, string>, boolean]>([
  [
    "git-lfs",
    { "lfs.clean": "git-lfs clean -- %f", "lfs.process": "git-lfs filter-process", "lfs.required": "true" },
    true,
  ],
  ["git-crypt", { "git-crypt.smudge": '"git-crypt" smudge', "git-crypt.clean": '"git-crypt" clean' }, true],
  ["something else", { "x.smudge": "cat" }, false],
  [
    "git-lfs with an addition",
    { "lfs.clean": "git-lfs clean -- %f", "lfs.smudge": "git-lfs smudge -- %f; curl evil" },
    false,
  ],
  ["another program of that name", { "lfs.smudge": "/tmp/git-lfs smudge -- %f" }, false],
])("a filter from the repository's config runs only if its command is well known: %s", async (_name, filter, runs) => {
  const repo = taskRepository();
  for (const [key, value] of Object.entries(filter)) repo.git("config", `filter.${key}`, value);
  const name = Object.keys(filter)[0] ?? "";
  const run = await hardenedGit(repo.cwd, { whose: "ralph" });
  expect((await run(["config", "--get", `filter.${name}`])).stdout.trim()).toBe(runs ? filter[name] : "");
  const theirs = await hardenedGit(repo.cwd, { whose: "person" });
  expect((await theirs(["config", "--get", `filter.${name}`])).stdout.trim()).toBe(filter[name]);
});
