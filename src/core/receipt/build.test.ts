import { expect, test } from "vitest";
import { someReceipt, someVerified } from "../../../test/support/receipts.ts";
import { provedBy, someAgent, someGuardrail, someSpec } from "../../../test/support/spec.ts";
import type { LoopEvent } from "../loop/events.ts";
import type { LoopSpec } from "../loop/spec.ts";
import { LEVELS } from "../proof/level.ts";
import { plainCommand } from "../proof/methods/external.ts";
import { PLAIN_STAGE, type Stage } from "../proof/proof.ts";
import { receiptSchema } from "../schema/receipt.ts";
import { buildReceipt } from "./build.ts";
import { gather } from "./gather.ts";

test("the schema accepts the result", async () => {
  const draft = await someReceipt({
    spec: someSpec({ proof: provedBy(["npm test"]), guardrails: [someGuardrail()] }),
  });
  const read = receiptSchema.safeParse({ ...draft, digest: `sha256:${"0".repeat(64)}` });
  expect(read.error?.issues ?? []).toEqual([]);
});

test("an unproven claim has none", async () => {
  const entries = someVerified({ verdict: { is: "fail" } });
  const gathered = await gather(each(entries));
  expect(
    buildReceipt(gathered, { loop: "x", tool: { name: "", version: "" }, folder: ".", cleanState: String }),
  ).toBeNull();
});

test.each(LEVELS)("a loop completed as %s has a receipt with that level", async (proof) => {
  expect(await someReceipt({ verdict: { proof } })).toMatchObject({ proof, weak: [] });
});

test("a loop without work has none", async () => {
  const entries = someVerified().map((entry) =>
    entry.event.type === "turn.ended" ? { ...entry, event: { ...entry.event, tools: "" } } : entry,
  );
  const around = { loop: "x", tool: { name: "", version: "" }, folder: ".", cleanState: String };
  expect(buildReceipt(await gather(each(entries)), around)).toBeNull();
});

async function* each<Item>(items: readonly Item[]) {
  yield* items;
}

test("secrets are removed, and redactions marked", async () => {
  const env = { API_TOKEN: "hunter2", MODE: "fast" };
  const stage: Stage = {
    ...PLAIN_STAGE,
    name: "deploy",
    method: "external",
    ...plainCommand("deploy --token abc123"),
    env,
  };
  const plugin: Stage = {
    ...PLAIN_STAGE,
    name: "p",
    method: "plugin",
    plugin: "p",
    timeoutMs: 1,
    config: { url: "http://localhost/a", nested: [{ password: "hunter2" }] },
  };
  const spec = someSpec({
    title: "use TOKEN=hunter2",
    proof: provedBy([], { stages: [stage, plugin] }),
    notify: [{ on: ["stopped"], run: { webhook: "https://hooks.example.com/hunter2" } }],
    agents: [someAgent("/usr/local/bin/claude", { flags: ["--api-key", "hunter2"] })],
  });
  const draft = await someReceipt({ spec });
  expect(JSON.stringify(draft)).not.toMatch(/hunter2|abc123|\/usr\/local|"\/repo/);
  expect(draft.title).toBe("use TOKEN=***");
  expect(draft.agent).toEqual({ command: "claude", model: null });
  expect(draft.criteria.stages).toMatchObject([
    { command: "deploy --token ***", masked: true, env: { API_TOKEN: null, MODE: "fast" } },
    { method: "plugin:p", config: { nested: [{ password: null }] } },
  ]);
});

test.each<[string, string]>([
  ["check.sh", "check.sh"],
  ["/repo/tests", "tests"],
  ["/etc/ralph/settings.json", "…/settings.json"],
  ["package.json#scripts.test", "package.json#scripts.test"],
])("the protected file %s is named %s", async (path, shown) => {
  const draft = await someReceipt({ fingerprints: { [path]: "abc" } });
  expect(draft.protected).toEqual([{ path: shown, digest: "abc" }]);
});

test.each<[string, string | null, string[], string | null]>([
  ["the stream names it", "opus-5", ["--model", "opus"], "opus-5"],
  ["a flag names it", null, ["--model", "opus"], "opus"],
  ["a flag with = names it", null, ["--model=opus"], "opus"],
  ["a short flag names it", null, ["-m", "gpt"], "gpt"],
  ["the last flag counts", null, ["-m", "a", "--model", "b"], "b"],
  ["a flag without a value", null, ["--model"], null],
  ["another flag", null, ["--modelish", "x"], null],
])("the model if %s", async (_name, model, flags, expected) => {
  const draft = await someReceipt({ spec: someSpec({ agents: [someAgent("claude", { flags })] }), ended: { model } });
  expect(draft.agent.model).toBe(expected);
  expect(draft.agents).toEqual([{ command: "claude", models: expected === null ? [] : [expected], iterations: 1 }]);
});

const PLACE = { head: "a".repeat(40), gitTree: "b".repeat(40) };
test.each<[string, object, object]>([
  [
    "a clean checkout",
    { ...PLACE, tree: `clean ${PLACE.head}` },
    { commit: PLACE.head, gitTree: PLACE.gitTree, clean: true },
  ],
  ["uncommitted changes", { ...PLACE, tree: "x" }, { commit: PLACE.head, clean: false, treeState: "x" }],
  ["an unreadable tree", { ...PLACE, tree: null }, { commit: PLACE.head, clean: null, treeState: null }],
  ["no git", { head: "", gitTree: "", tree: null }, { commit: null, gitTree: null, clean: null, treeState: null }],
  ["a verdict of an earlier version", {}, { commit: null, gitTree: null, clean: null, treeState: null }],
])("the subject of %s", async (_name, verdict, subject) => {
  expect((await someReceipt({ verdict })).subject).toMatchObject(subject);
});

const ROOM = { mode: "commit" as const, setup: null, cached: [], timeoutMs: 1 };
const JUDGED: Stage = {
  ...PLAIN_STAGE,
  name: "j",
  method: "semantic",
  checkFor: ["x"],
  negativePatterns: [],
  judge: { by: "agent", agent: null, model: null },
  onError: "unknown",
  timeoutMs: 1,
};
test.each<[string, Partial<LoopSpec>, boolean]>([
  ["commands in a clean room: the commit", { proof: provedBy(["npm test"], { cleanRoom: ROOM }) }, true],
  ["a judge beside them: the folder", { proof: provedBy([], { stages: [JUDGED], cleanRoom: ROOM }) }, false],
  [
    "guardrails beside them: the folder",
    { proof: provedBy(["npm test"], { cleanRoom: ROOM }), guardrails: [someGuardrail()] },
    false,
  ],
  ["a clean room without checks: the folder", { proof: provedBy([], { cleanRoom: ROOM }) }, false],
])("the checked place, with uncommitted changes. %s", async (_name, spec, clean) => {
  const { subject } = await someReceipt({ spec: someSpec(spec), verdict: { ...PLACE, tree: "x" } });
  expect(subject).toMatchObject({ clean, treeState: clean ? `clean ${PLACE.head}` : "x" });
});

test("includes criteria, labels, contradictions and the baseline", async () => {
  const check = {
    name: "t",
    command: "t",
    is: "pass",
    code: 0,
    reason: "exit code 0",
    excerpt: "secret",
    log: "/x",
    ms: 1,
  } as const;
  const baseline: LoopEvent = { type: "baseline.taken", head: "", tree: null, results: [{ ...check, is: "fail" }] };
  const draft = await someReceipt({
    spec: someSpec({ proof: provedBy(["t"], { acceptance: ["one", "two"], outcome: "done" }) }),
    more: [baseline],
    ended: {
      doubts: [
        { is: "contradicted", rule: "todo", quote: "a TODO \ud83d", start: 0, end: 1 },
        { is: "guarded", rule: "quoted", quote: "x", start: 0, end: 1 },
      ],
    },
    verdict: {
      weak: ["TOKEN=hunter2 is gone"],
      checks: [{ ...check, criterion: "one", since: "fixed", sha256: "f".repeat(64), label: "judge unavailable" }],
    },
  });
  expect(draft).toMatchObject({
    criteria: {
      outcome: "done",
      acceptance: [
        { text: "one", proved: true },
        { text: "two", proved: false },
      ],
    },
    labels: ["judge unavailable"],
    proof: "verified",
    weak: ["TOKEN=*** is gone"],
    contradictions: [{ rule: "todo", quote: "a TODO \ufffd" }],
    baseline: { commit: null, was: { t: "fail" } },
    checks: [{ name: "t", method: "external", since: "fixed", sha256: "f".repeat(64) }],
  });
  expect(JSON.stringify(draft.checks)).not.toContain("secret");
});
