import { expect, test } from "vitest";
import { ruleOfAsked, ruleOfCheck } from "./command-rules.ts";

test.each<[string, "any arguments" | "exact" | null]>([
  ["npm test", "any arguments"],
  ["CI=1 npm test", "any arguments"],
  ["timeout 5 npm test", "any arguments"],
  ["env -u CI FOO=1 npm test", "any arguments"],
  ["node --test", "any arguments"],
  ["node check.mjs", "any arguments"],
  ["python3 -m pytest -q", "any arguments"],
  ["sh check.sh", "any arguments"],
  ["bun test", "any arguments"],
  ["go test ./...", "any arguments"],
  ["npx vitest run", "any arguments"],
  ["git diff --exit-code", "any arguments"],
  ["cat checks.txt", "any arguments"],
  ["bash -e check.sh", "exact"],
  ["node -e 1", "exact"],
  ["rm -rf build", "exact"],
  ["/bin/rm -rf build", "exact"],
  ["command rm -rf build", "exact"],
  ["nohup rm build", "exact"],
  ["git -C . push", "exact"],
  ["git --no-pager push", "exact"],
  ["find . -name x", "exact"],
  ["sh", null],
  ["/bin/bash -s", null],
  ["node", null],
  ["python3 -", null],
  ["perl -n", null],
  ["timeout 5 sh", null],
  ["env FOO=1", null],
  ["env sh", null],
  ["xargs node", null],
  ["sudo npm test", null],
  ["FOO=1", null],
])("%s in a check is allowed with: %s", (command, how) => {
  const rule = ruleOfCheck(command);
  expect(rule).toEqual(how === null ? null : how === "exact" ? { command, exact: true } : { command });
});

test.each<[string, string | null]>([
  ["npm test", "npm test"],
  ["npm run lint -- --fix", "npm run lint"],
  ["CI=1 npm test -- x", "CI=1 npm test"],
  ["timeout 60 node --test test/a.test.js", "timeout 60 node --test"],
  ["pytest tests/a.py -q", "pytest"],
  ["python -m pytest tests", "python -m pytest"],
  ["cargo test --lib", "cargo test"],
  ["git --no-pager diff", "git --no-pager diff"],
  ["npm publish", null],
  ["npm run deploy", null],
  ["npx vitest run", null],
  ["git push --force", null],
  ["git -C . push", null],
  ["/bin/rm -rf x", null],
  ["env FOO=1 rm x", null],
  ["command git push", null],
  ["node -e 1", null],
])("%s, which an agent was refused, is suggested as %s", (command, suggested) => {
  expect(ruleOfAsked(command)).toEqual(suggested === null ? null : { command: suggested });
});
