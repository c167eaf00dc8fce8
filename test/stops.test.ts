import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { linesOf } from "./support/json-lines.ts";
import { sandbox } from "./support/sandbox.ts";

const CLAIM = "say: <promise>DONE</promise>";
const WORK = "write: { path: work, content: done }";

interface Outcome {
  reason: string;
  code: number;
  iterations: number;
  detail?: RegExp;
}

test.each<[string, string, string[], Outcome]>([
  [
    "a true claim",
    `- steps: [{ ${WORK} }, { ${CLAIM} }]`,
    ["--verify", "test -f work"],
    { reason: "verified", code: 0, iterations: 1 },
  ],
  [
    "a claim on the last allowed iteration",
    `[{ say: a }, { ${WORK} }, { ${CLAIM} }]`,
    ["--verify", "true", "-m", "3"],
    { reason: "still-green", code: 0, iterations: 3 },
  ],
  [
    "a claim that is never true",
    `- ${CLAIM}`,
    ["--verify", "false", "-m", "2"],
    { reason: "iteration-limit", code: 1, iterations: 2, detail: /^2 of 2$/ },
  ],
  [
    "a rate limit that passes",
    `- { steps: [{ fail: { kind: rate-limited, detail: slow down, retryAfter: 200ms } }], retry: [{ ${WORK} }, { ${CLAIM} }] }`,
    ["-m", "1"],
    { reason: "promise-only", code: 0, iterations: 1 },
  ],
  [
    "a missing login",
    "- { fail: { kind: auth, detail: please log in } }",
    [],
    { reason: "auth", code: 1, iterations: 0, detail: /please log in/ },
  ],
  [
    "three failures in a row",
    "- steps: [{ stderr: out of cheese }, { exit: 3 }]",
    [],
    { reason: "agent-failed", code: 1, iterations: 3, detail: /exit code 3: out of cheese/ },
  ],
  [
    "failures that are not in a row",
    `[{ exit: 3 }, { exit: 3 }, { ${WORK} }, { exit: 3 }, { exit: 3 }, { ${CLAIM} }]`,
    [],
    { reason: "promise-only", code: 0, iterations: 6 },
  ],
  [
    "a blocked agent, although it claims as well",
    "- say: '<blocked>no access to the server</blocked> <promise>DONE</promise>'",
    ["--verify", "true"],
    { reason: "blocked", code: 1, iterations: 1, detail: /^no access to the server$/ },
  ],
  [
    "a cost limit",
    "- steps: [{ say: working }, { usage: { costUsd: 0.4 } }]",
    ["--max-cost", "1"],
    { reason: "cost-limit", code: 1, iterations: 3, detail: /\$1\.20 spent/ },
  ],
  [
    "a token limit",
    "- steps: [{ say: working }, { usage: { inputTokens: 900, outputTokens: 100 } }]",
    ["--max-tokens", "2000"],
    { reason: "token-limit", code: 1, iterations: 2, detail: /2000 tokens/ },
  ],
  [
    "a true claim that crossed the cost limit",
    `- steps: [{ ${WORK} }, { ${CLAIM} }, { usage: { costUsd: 5 } }]`,
    ["--max-cost", "1"],
    { reason: "promise-only", code: 0, iterations: 1 },
  ],
])("%s", async (_name, iterations, args, { reason, code, ...rest }) => {
  const box = sandbox();
  box.write("s.yaml", `iterations:\n  ${iterations}\n`);
  const end = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "--json", ...args);
  const result = linesOf(end.stdout).at(-1) as { detail: string };
  expect(result).toMatchObject({ type: "result", reason, iterations: rest.iterations });
  if (rest.detail) expect(result.detail).toMatch(rest.detail);
  expect(end.code).toBe(code);
});

test("a loop without progress is stuck, with git and without", async () => {
  const [plain, repository] = [sandbox(), sandbox()];
  repository.initGit();
  for (const box of [plain, repository]) {
    box.write("s.yaml", "iterations:\n  - write: { path: a, content: '1' }\n  - say: hm\n  - say: hm\n  - say: hm\n");
    const { code, stderr } = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "--stuck-after", "2");
    expect(stderr).toMatch(/■ stuck: 2 iterations without new work, same result \([34] iterations/);
    expect(code).toBe(1);
  }
});

test("a raised limit lets a stopped loop continue", async () => {
  const box = sandbox();
  box.write("s.yaml", `iterations:\n  - say: a\n  - ${WORK}\n  - ${CLAIM}\n`);
  const first = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "-m", "2");
  expect(first.stderr).toMatch(/■ iteration-limit: 2 of 2.*\n {2}next: ralph resume \w+ -m 4/);
  expect((await box.ralph("resume")).code).toBe(1);
  expect((await box.ralph("resume", "-m", "3")).code).toBe(0);
});

const TAMPER = `
iterations:
  - steps: [{ write: { path: check.sh, content: "exit 0" } }, { ${CLAIM} }]
`;

test("a changed check is vetoed, then stops the loop, and passes once the user accepts it", async () => {
  const box = sandbox();
  box.write("s.yaml", TAMPER);
  chmodSync(box.write("check.sh", "exit 1"), 0o755);
  const run = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "--verify", "sh check.sh");
  expect(run.stderr.match(/✗ not proven \(fail\): tampered: check\.sh/g)).toHaveLength(3);
  expect(run.stderr).toMatch(/■ tampered: check\.sh \(.*\) \(3 iterations.*\n {2}next: .*--accept-changes/);
  expect(run.code).toBe(1);
  const why = await box.ralph("why");
  expect(why.stdout).toContain("tampered  check.sh");
  const again = await box.ralph("resume", "-m", "4");
  expect(again.stderr).toContain("■ iteration-limit");
  expect((await box.ralph("resume", "--accept-changes")).code).toBe(0);
});

test("an agent that restores the check is trusted again", async () => {
  const box = sandbox();
  box.write(
    "s.yaml",
    `${TAMPER}  - steps: [{ write: { path: check.sh, content: "test -e done" } }, { write: { path: done, content: "" } }, { ${CLAIM} }]\n`,
  );
  box.write("check.sh", "test -e done");
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "--verify", "sh check.sh");
  expect(stderr).toContain("tampered: check.sh");
  expect(code).toBe(0);
});

test("a changed settings file is tampering too", async () => {
  const box = sandbox();
  box.write(".ralph/settings.json", '{"verify": ["true"], "maximumIterations": 1}');
  box.write(
    "s.yaml",
    `iterations:\n  - steps: [{ write: { path: .ralph/settings.json, content: "{}" } }, { ${CLAIM} }]\n`,
  );
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml");
  expect(stderr).toContain("tampered: .ralph/settings.json");
  expect(code).toBe(1);
});

test("a check that can no longer run never passes", async () => {
  const box = sandbox();
  box.write("s.yaml", `iterations:\n  - steps: [{ write: { path: begun, content: "" } }, { ${CLAIM} }]\n`);
  const check = "[ -e begun ] && exit 127; false";
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "--verify", check);
  expect(stderr).toMatch(/■ unverifiable: .*: the command could not be run \(exit code 127\)/);
  expect(code).toBe(1);
});
