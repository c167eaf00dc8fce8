import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkFolder } from "../../../test/support/check.ts";
import type { External } from "../../core/proof/proof.ts";

test.each<[string, string, Partial<External>, object]>([
  ["exit code 0", "true", {}, { is: "pass", code: 0, reason: "exit code 0" }],
  ["another exit code", "exit 3", {}, { is: "fail", code: 3, reason: "exit code 3" }],
  ["the expected exit code", "exit 3", { successExitCode: 3 }, { is: "pass", reason: "exit code 3" }],
  ["success if failure is expected", "true", { successExitCode: 3 }, { is: "fail", reason: "exit code 0, expected 3" }],
  [
    "no such program",
    "no-such-program",
    {},
    { is: "unknown", code: 127, absent: true, reason: "the program no-such-program was not found" },
  ],
  ["a program that another program needs", "sh -c 'sh -c $0' no-such-program", {}, { is: "fail", code: 127 }],
  ["126 without a missing program", "exit 126", {}, { is: "fail", code: 126, reason: "exit code 126" }],
  ["127 if it is expected", "exit 127", { successExitCode: 127 }, { is: "pass", code: 127 }],
  ["126 if it is expected", "exit 126", { successExitCode: 126 }, { is: "pass", code: 126 }],
  ["127 if another failure is expected", "exit 127", { successExitCode: 1 }, { is: "fail", code: 127 }],
  ["no such program if 127 is expected", "no-such-program", { successExitCode: 127 }, { is: "pass", code: 127 }],
  ["no such program in a passing pipe", "no-such-program | cat", {}, { is: "unknown", absent: true }],
  ["no such target", "make no-such-target", {}, { is: "unknown", code: 2, absent: true }],
  ["no such package script", "npm run -s no-such-script", {}, { is: "unknown", absent: true }],
  ["a timeout", "sleep 30", { timeoutMs: 100 }, { is: "fail", code: null, reason: "timed out after 100ms" }],
  ["a signal", "kill -9 $$", {}, { is: "fail", code: null, reason: "ended by SIGKILL" }],
  ["several lines, of which the last decides", "false\necho two >&2\nexit 0", {}, { is: "pass", excerpt: "two\n" }],
  ["several lines that stop at the first failure", "set -e\nfalse\ntrue", {}, { is: "fail", code: 1 }],
  ["a variable", '[ "$COLOUR" = blue ]', { env: { COLOUR: "blue" } }, { is: "pass" }],
  ["the loop's own variables", '[ "$RALPH_LOOP" = one ]', { env: { COLOUR: "blue" } }, { is: "pass" }],
])("%s", async (_name, command, more, result) => {
  expect(await checkFolder().check(command, more)).toMatchObject(result);
});

const SAYS = "echo '5 passed'; echo '1 FAILED' >&2";

test.each<[string, string, Partial<External>, object]>([
  ["required output", SAYS, { outputContains: ["5 passed"] }, { is: "pass", reason: "exit code 0" }],
  ["required output on standard error", SAYS, { outputContains: ["1 FAILED"] }, { is: "pass" }],
  [
    "not said",
    SAYS,
    { outputContains: ["6 passed"] },
    { is: "fail", code: 0, reason: 'output does not contain "6 passed"' },
  ],
  [
    "forbidden output that is present",
    SAYS,
    { outputNotContains: ["FAILED"] },
    { is: "fail", reason: 'output contains "FAILED"' },
  ],
  ["forbidden output that is absent", SAYS, { outputNotContains: ["failed"] }, { is: "pass" }],
  [
    "everything wrong with it",
    SAYS,
    { outputContains: ["6 passed", "5 passed"], outputNotContains: ["FAILED"] },
    { is: "fail", reason: 'output does not contain "6 passed", output contains "FAILED"' },
  ],
  [
    "required output of a failing command",
    `${SAYS}; exit 1`,
    { outputContains: ["6"] },
    { is: "fail", reason: "exit code 1" },
  ],
  ["output in two pieces", "printf pas; sleep 0.1; printf sed", { outputContains: ["passed"] }, { is: "pass" }],
  [
    "a character in two pieces",
    "printf '\\342\\234'; sleep 0.1; printf '\\223 ok'",
    { outputContains: ["✓ ok"] },
    { is: "pass" },
  ],
  [
    "in the middle of long output",
    "seq 200000; echo needle; seq 200000",
    { outputContains: ["needle"], outputNotContains: ["pin"] },
    { is: "pass" },
  ],
])("%s", async (_name, command, more, result) => {
  expect(await checkFolder().check(command, more)).toMatchObject(result);
});

test("the complete output is in the log, its hash and an excerpt in the result", async () => {
  const result = await checkFolder().check("seq 100000; echo oops >&2");
  const log = readFileSync(result?.log ?? "");
  expect(log.length).toBeGreaterThan(580_000);
  expect(result?.sha256).toBe(createHash("sha256").update(log).digest("hex"));
  expect(result?.excerpt.length).toBeLessThan(700);
});

test.each<[string, string, object]>([
  ["a folder inside", "packages/api", { is: "pass", excerpt: expect.stringMatching(/work\/packages\/api\n$/) }],
  ["a folder with a plain dot", "./packages/../packages/api/", { is: "pass" }],
  ["a link to a folder inside", "linked", { is: "pass", excerpt: expect.stringMatching(/work\/packages\/api\n$/) }],
  [
    "a missing one",
    "packages/x",
    { is: "fail", code: null, log: null, reason: "the folder packages/x does not exist" },
  ],
  ["one below a file", "file/x", { is: "fail", reason: "the folder file/x does not exist" }],
  ["a file", "file", { is: "fail", reason: "file is not a folder" }],
  ["a link that leads outside", "out", { is: "unknown", reason: "the folder out leads out of the loop's folder" }],
  ["a folder behind such a link", "out/beside", { is: "unknown" }],
  ["one with the same prefix", "twin", { is: "unknown" }],
  ["a link to itself", "loop", { is: "unknown", reason: "the folder loop cannot be used (ELOOP)" }],
])("runs in %s, or says why not", async (_name, workingDir, result) => {
  const { root, cwd, write, check } = checkFolder();
  write("packages/api/x", "");
  write("file", "");
  for (const folder of ["beside", "work-2"]) mkdirSync(join(root, folder));
  symlinkSync("packages/api", join(cwd, "linked"));
  symlinkSync("..", join(cwd, "out"));
  symlinkSync("../work-2", join(cwd, "twin"));
  symlinkSync("loop", join(cwd, "loop"));
  expect(await check("pwd", { workingDir })).toMatchObject(result);
});

test("an aborted one has no result", async () => {
  const { check, stop } = checkFolder();
  const running = check("sleep 30");
  stop();
  expect(await running).toBeNull();
});
