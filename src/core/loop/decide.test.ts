import { expect, test } from "vitest";
import { gitEffect, provedBy, someAgent, someGuardrail, someSpec } from "../../../test/support/spec.ts";
import type { Trouble } from "../agent.ts";
import { NO_PROOF } from "../proof/proof.ts";
import type { LoopRole } from "../task/role.ts";
import { NO_USAGE } from "../usage.ts";
import { type Decision, decide } from "./decide.ts";
import type { CheckResult, LoopEvent, Tamper, TurnEnded, Verdict } from "./events.ts";
import { fold } from "./reduce.ts";
import { DEFAULT_LIMITS, type Effect, type Limits, type LoopSpec } from "./spec.ts";

const CLAIM = { text: "DONE", tag: "promise", start: 0, end: 23, quote: "<promise>DONE</promise>" } as const;
const GUARD = someGuardrail();
const COMMIT = gitEffect("commit", "guarded");
const AFTER = gitEffect("commit", "judged");
const result = (is: CheckResult["is"]): CheckResult => ({
  name: "test",
  command: "npm test",
  is,
  code: is === "pass" ? 0 : 1,
  reason: is,
  excerpt: "",
  log: null,
  ms: 1,
});

interface Given {
  limits?: Partial<Limits>;
  spec?: Partial<LoopSpec>;
  nowMs?: number;
}

const started = ({ limits, spec }: Given): LoopEvent => ({
  type: "loop.started",
  fingerprints: {},
  spec: someSpec({
    proof: provedBy(["npm test"], { baseline: false }),
    ...spec,
    limits: { ...DEFAULT_LIMITS, ...limits },
  }),
});
const adopted: LoopEvent = { type: "loop.adopted", driver: "engine" };
const began = (n: number, attempt = 1, agent = 0): LoopEvent => ({
  type: "turn.began",
  n,
  attempt,
  agent,
  runToken: `${n}/${attempt}`,
  log: null,
  nonce: null,
});
const ended = (n: number, more: Partial<TurnEnded> = {}): LoopEvent => ({
  type: "turn.ended",
  n,
  attempt: 1,
  claim: null,
  doubts: [],
  blocked: null,
  failed: null,
  refused: null,
  usage: { inputTokens: 10, cachedTokens: 0, outputTokens: 5, costUsd: 1 },
  sessionId: null,
  sessionUsage: null,
  source: "text",
  tools: null,
  model: null,
  ...more,
});
const worked = (n: number, more: Partial<TurnEnded> = {}): LoopEvent[] => [began(n), ended(n, more)];
const claimed = (n: number, more: Partial<TurnEnded> = {}): LoopEvent[] => worked(n, { claim: CLAIM, ...more });
const guarded = (n: number, is: CheckResult["is"]): LoopEvent => ({ type: "guards.ended", n, results: [result(is)] });
const judged = (n: number, is: Verdict["is"], tries = 1, tampered?: Tamper[]): LoopEvent => ({
  type: "claim.judged",
  n,
  try: tries,
  verdict: {
    is,
    reason: is,
    checks: [],
    ...(is === "pass" ? { proof: "verified" } : {}),
    ...(tampered ? { tampered } : {}),
  },
  usage: NO_USAGE,
});
const voided = (n: number, why: Trouble, retryAtMs: number | null = null, attempt = 1): LoopEvent => ({
  type: "turn.voided",
  n,
  attempt,
  why,
  detail: why,
  retryAtMs,
  usage: NO_USAGE,
});
const asked = (as: "cancelled" | "interrupted"): LoopEvent => ({ type: "stop.requested", as, by: "test" });
const failed = (n: number): LoopEvent[] => worked(n, { failed: { kind: "crashed", detail: "exit code 1" } });
const sees = (n: number, tree: string): LoopEvent => ({ type: "tree.seen", n, tree });
const idle = (n: number): LoopEvent[] => [...worked(n), sees(n, "same")];
const tampered = (n: number): LoopEvent[] => [
  ...claimed(n),
  judged(n, "fail", 1, [{ path: "check.sh", change: "changed" }]),
];
const DOUBT = { is: "contradicted", rule: "tests-fail", start: 0, end: 5, quote: "tests fail" } as const;

/** The decision after a past; entries are one second apart, under one driver unless adopted again. */
function after(past: LoopEvent[], given: Given = {}): Decision {
  let epoch = 0;
  const entries = [started(given), adopted, ...past].map((event, i) => {
    if (event.type === "loop.adopted") epoch++;
    return { loop: "l", seq: i + 1, epoch, atMs: i * 1_000, event };
  });
  return decide(fold(entries), given.nowMs ?? entries.length * 1_000);
}

const stops = (reason: string) => expect.objectContaining({ do: "stop", reason });
const turn = (n: number, attempt = 1, agent = 0) => ({ do: "turn", n, attempt, agent });
const commit = (key: string, effect: Effect, probe = false) => ({ do: "effect", key, effect, probe });
const intended = (key: string): LoopEvent => ({ type: "effect.intended", key, effect: COMMIT, before: "sha" });
const settled = (key: string): LoopEvent => ({
  type: "effect.settled",
  key,
  is: "done",
  detail: "",
  usage: NO_USAGE,
});
const withGuards = { spec: { guardrails: [GUARD] } };
const twoAgents = { spec: { agents: [someAgent("a"), someAgent("b")] } };
const watched = { spec: { tracked: true }, limits: { stuckAfter: 2 } };
const untracked = { limits: { stuckAfter: 2 } };
const last = { limits: { maxIterations: 1 } };
const FAULTS = { review: { approved: false, findings: ["a.ts:1 wrong"] } };
const at = (place: LoopRole, spec: Partial<LoopSpec> = {}): Given => ({
  spec: { part: { task: "T", place, execution: "e", description: "", method: "" }, ...spec },
});

test.each<[string, LoopEvent[], Given, unknown]>([
  [
    "stops if faults were found",
    worked(1, FAULTS),
    at("reviewer"),
    { do: "stop", reason: "faults-found", detail: "a.ts:1 wrong" },
  ],
  ["lets a tester find them", worked(1, FAULTS), at("tester"), stops("faults-found")],
  ["lets qa find them", worked(1, FAULTS), at("qa"), stops("faults-found")],
  ["faults win over a claim", claimed(1, FAULTS), at("reviewer"), stops("faults-found")],
  ["faults win over the last iteration", worked(1, FAULTS), { ...last, ...at("qa") }, stops("faults-found")],
  ["a block wins over faults", worked(1, { ...FAULTS, blocked: "no key" }), at("reviewer"), stops("blocked")],
  ["accepts no faults from the coder", claimed(1, FAULTS), at("coder"), { do: "judge", try: 1 }],
  ["nor from the conflict solver", worked(1, FAULTS), at("conflict"), turn(2)],
  ["nor in a loop outside a task", claimed(1, FAULTS), {}, { do: "judge", try: 1 }],
  ["continues if nothing was named", worked(1, { review: { approved: false, findings: [] } }), at("reviewer"), turn(2)],
  ["continues if it was approved", worked(1, { review: { approved: true, findings: ["a"] } }), at("reviewer"), turn(2)],
  [
    "runs the guardrails before it stops for faults",
    worked(1, FAULTS),
    at("reviewer", { guardrails: [GUARD] }),
    { do: "guard" },
  ],
  [
    "stops for faults even if a guardrail fails",
    [...worked(1, FAULTS), guarded(1, "fail")],
    at("reviewer", { guardrails: [GUARD] }),
    stops("faults-found"),
  ],
  ["commits before it stops for faults", worked(1, FAULTS), at("tester", { effects: [COMMIT] }), commit("1/0", COMMIT)],
  [
    "and then stops",
    [...worked(1, FAULTS), intended("1/0"), settled("1/0")],
    at("tester", { effects: [COMMIT] }),
    stops("faults-found"),
  ],
  [
    "gives a resumed loop a new chance",
    [...worked(1, FAULTS), { type: "loop.stopped", reason: "faults-found", detail: "" }, adopted],
    at("tester"),
    turn(2),
  ],
  [
    "names the first faults",
    worked(1, { review: { approved: false, findings: ["a", "b", "c", "d", "e"] } }),
    at("qa"),
    { do: "stop", reason: "faults-found", detail: "a; b; c; and 2 more" },
  ],
  ["begins", [], {}, turn(1)],
  ["continues without a claim", worked(1), {}, turn(2)],
  ["verifies a claim", claimed(1), {}, { do: "judge", try: 1 }],
  ["verifies a claim made on the last iteration before any limit is read", claimed(1), last, { do: "judge", try: 1 }],
  ["stops verified on the last iteration", [...claimed(1), judged(1, "pass")], last, stops("verified")],
  [
    "stops verified even if the cost limit is reached",
    [...claimed(1), judged(1, "pass")],
    { limits: { maxCostUsd: 0.5 } },
    stops("verified"),
  ],
  ["continues after a failed verdict", [...claimed(1), judged(1, "fail")], {}, turn(2)],
  [
    "never takes unknown for a pass: judges once more",
    [...claimed(1), judged(1, "unknown")],
    {},
    { do: "judge", try: 2 },
  ],
  [
    "stops unverifiable after the second unknown",
    [...claimed(1), judged(1, "unknown"), judged(1, "unknown", 2)],
    {},
    stops("unverifiable"),
  ],
  [
    "accepts a pass on the second attempt",
    [...claimed(1), judged(1, "unknown"), judged(1, "pass", 2)],
    {},
    stops("verified"),
  ],
  ["runs guardrails after every iteration", worked(1), withGuards, { do: "guard" }],
  ["runs guardrails before verification", claimed(1), withGuards, { do: "guard" }],
  ["a failing guardrail vetoes a claim", [...claimed(1), guarded(1, "fail")], withGuards, turn(2)],
  ["an unknown guardrail vetoes a claim", [...claimed(1), guarded(1, "unknown")], withGuards, turn(2)],
  ["verifies when guardrails pass", [...claimed(1), guarded(1, "pass")], withGuards, { do: "judge", try: 1 }],
  [
    "commits before the verdict",
    [...claimed(1), guarded(1, "pass")],
    { spec: { guardrails: [GUARD], effects: [COMMIT] } },
    commit("1/0", COMMIT),
  ],
  [
    "does not commit if a guardrail fails",
    [...worked(1), guarded(1, "fail")],
    { spec: { guardrails: [GUARD], effects: [COMMIT] } },
    turn(2),
  ],
  [
    "probes an intended effect",
    [...worked(1), intended("1/0")],
    { spec: { effects: [COMMIT] } },
    commit("1/0", COMMIT, true),
  ],
  [
    "probes it before it stops",
    [...worked(1), intended("1/0"), asked("cancelled")],
    { spec: { effects: [COMMIT] } },
    commit("1/0", COMMIT, true),
  ],
  [
    "judges after effects are settled",
    [...claimed(1), intended("1/0"), settled("1/0")],
    { spec: { effects: [COMMIT] } },
    { do: "judge", try: 1 },
  ],
  ["leaves later effects until the verdict", claimed(1), { spec: { effects: [AFTER] } }, { do: "judge", try: 1 }],
  [
    "performs later effects before it stops",
    [...claimed(1), judged(1, "pass")],
    { spec: { effects: [AFTER] } },
    commit("1/0", AFTER),
  ],
  ["contradictions veto a bare promise", claimed(1, { doubts: [DOUBT] }), { spec: { proof: NO_PROOF } }, turn(2)],
  [
    "leaves contradictions to the checks if there are any",
    claimed(1, { doubts: [DOUBT] }),
    {},
    { do: "judge", try: 1 },
  ],
  ["blocked wins over a claim", claimed(1, { blocked: "no key" }), {}, stops("blocked")],
  ["names the iteration limit", worked(1), last, stops("iteration-limit")],
  ["names the cost limit", worked(1), { limits: { maxCostUsd: 1 } }, stops("cost-limit")],
  ["names the token limit", worked(1), { limits: { maxTokens: 15 } }, stops("token-limit")],
  ["names the time limit", worked(1), { limits: { maxMs: 2_000 } }, stops("time-limit")],
  ["has no limit if none is set", worked(1), { limits: { maxIterations: null } }, turn(2)],
  ["retries the same iteration after an environment failure", [began(1), voided(1, "overloaded")], {}, turn(1, 2)],
  ["waits until the reset", [began(1), voided(1, "rate-limited", 60_000)], {}, { do: "wait", untilMs: 60_000 }],
  [
    "waits also if the clock was set back",
    [began(1), voided(1, "rate-limited", 1_500)],
    { nowMs: 900 },
    { do: "wait", untilMs: 1_500 },
  ],
  ["continues after the wait", [began(1), voided(1, "rate-limited", 60_000)], { nowMs: 60_000 }, turn(1, 2)],
  ["uses no iteration for a wait", [began(1), voided(1, "rate-limited", 4_000)], { ...last, nowMs: 9_000 }, turn(1, 2)],
  [
    "names the wait limit instead of waiting in vain",
    [began(1), voided(1, "rate-limited", 9e9)],
    { limits: { maxWaitMs: 1_000 } },
    stops("wait-limit"),
  ],
  [
    "adds up the waits of one blockage",
    [began(1), voided(1, "rate-limited", 60_000), began(1, 2), voided(1, "rate-limited", 7_600, 2)],
    { limits: { maxWaitMs: 3_500 } },
    stops("wait-limit"),
  ],
  [
    "does not count waiting as working time",
    [began(1), voided(1, "rate-limited", 4_000), began(1, 2)],
    { limits: { maxMs: 3_500 }, nowMs: 4_000 },
    { do: "await" },
  ],
  ["switches agents while one is limited", [began(1), voided(1, "rate-limited", 60_000)], twoAgents, turn(1, 2, 1)],
  [
    "stays with the second agent meanwhile",
    [began(1), voided(1, "rate-limited", 60_000), began(1, 2, 1), ended(1, { attempt: 2 })],
    twoAgents,
    turn(2, 1, 1),
  ],
  [
    "returns to the first agent after its reset",
    [began(1), voided(1, "overloaded", 60_000), began(1, 2, 1), ended(1, { attempt: 2 })],
    { ...twoAgents, nowMs: 60_000 },
    turn(2),
  ],
  [
    "waits for the earliest reset if all are limited",
    [began(1), voided(1, "rate-limited", 60_000), began(1, 2, 1), voided(1, "rate-limited", 50_000, 2)],
    twoAgents,
    { do: "wait", untilMs: 50_000 },
  ],
  [
    "uses the agent that is reset first",
    [began(1), voided(1, "rate-limited", 60_000), began(1, 2, 1), voided(1, "rate-limited", 50_000, 2)],
    { ...twoAgents, nowMs: 50_000 },
    turn(1, 3, 1),
  ],
  [
    "waits with all agents for the network",
    [began(1), voided(1, "network", 60_000)],
    twoAgents,
    { do: "wait", untilMs: 60_000 },
  ],
  ["stops at a missing login, also with a second agent", [began(1), voided(1, "auth")], twoAgents, stops("auth")],
  ["stops at a missing login", [began(1), voided(1, "auth")], {}, stops("auth")],
  ["stops at a missing agent", [began(1), voided(1, "agent-missing")], {}, stops("agent-missing")],
  ["retries a lost session with a new one", [began(1), voided(1, "bad-session")], {}, turn(1, 2)],
  [
    "gives up on repeatedly lost sessions",
    [1, 2, 3].flatMap((a) => [began(1, a), voided(1, "bad-session", null, a)]),
    {},
    stops("agent-failed"),
  ],
  ["continues after an agent failure", failed(1), {}, turn(2)],
  ["stops after three in a row", [1, 2, 3].flatMap(failed), {}, stops("agent-failed")],
  [
    "stops after three claims of an agent that is refused every tool",
    [1, 2, 3].flatMap((n) => [...claimed(n, { refused: "Write was refused" }), judged(n, "fail")]),
    {},
    { do: "stop", reason: "agent-failed", detail: "Write was refused" },
  ],
  [
    "still accepts the proof of such a claim",
    [...claimed(1, { refused: "Write was refused" }), judged(1, "pass")],
    {},
    stops("verified"),
  ],
  ["forgets failures after a success", [...failed(1), ...failed(2), ...worked(3), ...failed(4)], {}, turn(5)],
  ["is stuck after repeated turns without progress", [1, 2, 3].flatMap(idle), watched, stops("stuck")],
  ["is not stuck while the tree changes", [1, 2, 3].flatMap((n) => [...worked(n), sees(n, `${n}`)]), watched, turn(4)],
  [
    "is not stuck while the result changes",
    [...claimed(1), sees(1, "w"), judged(1, "fail"), ...idle(2), ...claimed(3), sees(3, "same"), judged(3, "fail")],
    watched,
    turn(4),
  ],
  ["is stuck after five by default", [1, 2, 3, 4, 5, 6].flatMap(idle), { spec: { tracked: true } }, stops("stuck")],
  [
    "is not stuck while other tools are used",
    [1, 2, 3].flatMap((n) => [...worked(n, { tools: `${n}` }), sees(n, "same")]),
    watched,
    turn(4),
  ],
  [
    "is stuck outside git only if no tool was used",
    [1, 2, 3].flatMap((n) => worked(n, { tools: "" })),
    untracked,
    stops("stuck"),
  ],
  ["cannot see outside git what tools did", [1, 2, 3].flatMap((n) => worked(n, { tools: "t" })), untracked, turn(4)],
  ["reads the tree before the guardrails", worked(1), { spec: { tracked: true, guardrails: [GUARD] } }, { do: "look" }],
  ["reads the tree once", idle(1), { spec: { tracked: true, guardrails: [GUARD] } }, { do: "guard" }],
  [
    "reads the tree to detect work even without a limit",
    worked(1),
    { spec: { tracked: true }, limits: { stuckAfter: null } },
    { do: "look" },
  ],
  [
    "does not read the tree if nothing needs it",
    worked(1),
    { spec: { tracked: true, proof: { ...NO_PROOF, zeroWorkGuard: false } }, limits: { stuckAfter: null } },
    turn(2),
  ],
  ["is not stuck without a read tree", [1, 2, 3].flatMap((n) => worked(n)), { limits: { stuckAfter: 2 } }, turn(4)],
  ["reports tampering to the agent", tampered(1), {}, turn(2)],
  ["stops when it is repeated", [1, 2, 3].flatMap(tampered), {}, stops("tampered")],
  ["cancels", [...worked(1), asked("cancelled")], {}, stops("cancelled")],
  ["interrupts", [...worked(1), asked("interrupted")], {}, stops("interrupted")],
  ["ends the agent before it stops", [began(1), asked("cancelled")], {}, { do: "recover", runToken: "1/1" }],
  [
    "keeps a proof that precedes a cancel",
    [...claimed(1), judged(1, "pass"), asked("cancelled")],
    {},
    stops("verified"),
  ],
  ["awaits its own turn", [began(1)], {}, { do: "await" }],
  ["recovers a turn of an earlier driver", [began(1), adopted], {}, { do: "recover", runToken: "1/1" }],
  ["does not run a finished turn again", [...worked(1), adopted], {}, turn(2)],
  ["continues at the phase: guardrails", [...claimed(1), adopted], withGuards, { do: "guard" }],
  [
    "continues at the phase: verdict",
    [...claimed(1), guarded(1, "pass"), adopted],
    withGuards,
    { do: "judge", try: 1 },
  ],
  ["ignores a late end of a voided turn", [began(1), voided(1, "interrupted"), ended(1)], {}, turn(1, 2)],
])("%s", (_name, past, given, next) => {
  expect(after(past, given)).toEqual(next);
});

const stopped = (reason: string): LoopEvent => ({ type: "loop.stopped", reason: reason as "stuck", detail: "" });

test.each<[string, LoopEvent[], Given, unknown]>([
  ["a stopped loop stays stopped", [...worked(1), stopped("stuck")], {}, stops("stuck")],
  [
    "a verified loop stays verified when resumed",
    [...claimed(1), judged(1, "pass"), stopped("verified"), adopted],
    {},
    stops("verified"),
  ],
  [
    "interrupted continues",
    [began(1), asked("interrupted"), voided(1, "interrupted"), stopped("interrupted"), adopted],
    {},
    turn(1, 2),
  ],
  ["blocked gets a new chance", [...worked(1, { blocked: "x" }), stopped("blocked"), adopted], {}, turn(2)],
  [
    "stuck gets a new chance",
    [...[1, 2, 3].flatMap(idle), stopped("stuck"), adopted],
    { limits: { stuckAfter: 2 } },
    turn(4),
  ],
  ["agent-failed gets a new chance", [...[1, 2, 3].flatMap(failed), stopped("agent-failed"), adopted], {}, turn(4)],
  ["auth gets a new chance", [began(1), voided(1, "auth"), stopped("auth"), adopted], {}, turn(1, 2)],
  [
    "unverifiable is verified again, without paying the agent",
    [...claimed(1), judged(1, "unknown"), judged(1, "unknown", 2), stopped("unverifiable"), adopted],
    {},
    { do: "judge", try: 1 },
  ],
  [
    "the wait limit waits no longer",
    [began(1), voided(1, "rate-limited", 9e9), stopped("wait-limit"), adopted],
    { limits: { maxWaitMs: 1 } },
    turn(1, 2),
  ],
  ["the iteration limit remains", [...worked(1), stopped("iteration-limit"), adopted], last, stops("iteration-limit")],
  [
    "a raised limit lets it continue",
    [
      ...worked(1),
      stopped("iteration-limit"),
      { ...adopted, limits: { ...DEFAULT_LIMITS, maxIterations: 5 } } as LoopEvent,
    ],
    last,
    turn(2),
  ],
  [
    "accepted changes are judged again",
    [...[1, 2, 3].flatMap(tampered), stopped("tampered"), { ...adopted, fingerprints: {} } as LoopEvent],
    {},
    { do: "judge", try: 1 },
  ],
  [
    "time without a driver does not count",
    [...worked(1), adopted],
    { limits: { maxMs: 2_500 }, nowMs: 4_000 },
    turn(2),
  ],
])("resumed: %s", (_name, past, given, next) => {
  expect(after(past, given)).toEqual(next);
});

test.each<[string, string | null, string, Decision["do"]]>([
  ["the tree is unknown and no tool was used", null, "", "turn"],
  ["the tree and the tools are unknown", null, "unknown", "judge"],
  ["the tree has changed", "other", "", "judge"],
])("a claim without work: %s", (_name, tree, tools, does) => {
  const proof = { ...provedBy(["npm test"], { baseline: false }), zeroWorkGuard: true };
  const past: LoopEvent[] = [
    ...claimed(1, { tools: tools === "unknown" ? null : tools }),
    { type: "tree.seen", n: 1, tree },
    guarded(1, "pass"),
  ];
  expect(after(past, { spec: { proof, tracked: true } }).do).toBe(does);
});

const RED = { type: "baseline.taken", results: [result("fail")], head: "h", tree: "t" } as const;
const GREEN = { ...RED, results: [result("pass")] } as const;
const lazy = (n: number): LoopEvent[] => [...claimed(n, { tools: "" }), sees(n, "t")];
const CUT = {
  type: "turn.voided",
  n: 1,
  attempt: 1,
  why: "interrupted",
  detail: "",
  retryAtMs: null,
  usage: NO_USAGE,
} as const;
const again: LoopEvent[] = [began(1, 2), ended(1, { claim: CLAIM, tools: "", attempt: 2 }), sees(1, "t")];
const fixing = (since: "fixed" | "already passing"): LoopEvent => ({
  type: "claim.judged",
  n: 1,
  try: 1,
  verdict: { is: "pass", proof: "verified", reason: "pass", checks: [{ ...result("pass"), since }] },
  usage: NO_USAGE,
});

test.each<[string, LoopEvent[], unknown]>([
  ["is refused the first time", [GREEN, ...lazy(1)], turn(2)],
  ["ends the loop the second time", [GREEN, ...lazy(1), ...lazy(2)], stops("no-work")],
  [
    "also with a turn without a claim in between",
    [GREEN, ...lazy(1), ...worked(2), sees(2, "t"), ...lazy(3)],
    stops("no-work"),
  ],
  ["is judged if a check failed before: fixing it is work", [RED, ...lazy(1)], { do: "judge", try: 1 }],
  ["is accepted if a failing check passes now", [RED, ...lazy(1), fixing("fixed")], stops("verified")],
  ["is refused if the checks pass and none of them was fixed", [RED, ...lazy(1), fixing("already passing")], turn(2)],
  ["is accepted after work", [GREEN, ...lazy(1), ...claimed(2, { tools: "" }), sees(2, "u")], { do: "judge", try: 1 }],
  ["gets another chance when the user resumes", [GREEN, ...lazy(1), ...lazy(2), stopped("no-work"), adopted], turn(3)],
  ["counts earlier tool use", [GREEN, ...worked(1, { tools: "x" }), sees(1, "t"), ...lazy(2)], { do: "judge", try: 1 }],
  [
    "counts tool use in an interrupted attempt",
    [GREEN, began(1), { ...CUT, usedTools: true }, ...again],
    { do: "judge", try: 1 },
  ],
  ["is refused if an attempt was interrupted before any tool use", [GREEN, began(1), CUT, ...again], turn(2)],
])("a claim without any work %s", (_name, past, next) => {
  const proof = provedBy(["npm test"], { zeroWorkGuard: true });
  expect(after(past, { spec: { proof, tracked: true } })).toEqual(next);
});

const byChecks: Given = { spec: { ends: "checks" } };
const byTurn: Given = { spec: { ends: "turn", proof: NO_PROOF }, limits: { maxFailures: 1 } };
const finished: Decision = { do: "stop", reason: "finished", detail: "" };
const judge: Decision = { do: "judge", try: 1 };

test.each<[string, LoopEvent[], Given, unknown]>([
  ["checks run after every turn, without a claim", worked(1), byChecks, judge],
  ["a claim makes no difference", claimed(1), byChecks, judge],
  ["they alone end the loop", [...worked(1), judged(1, "pass")], byChecks, stops("verified")],
  ["also on the last iteration", worked(1), { ...byChecks, ...last }, judge],
  ["a failing check requires another turn", [...worked(1), judged(1, "fail")], byChecks, turn(2)],
  ["and the next turn is checked again", [...worked(1), judged(1, "fail"), ...worked(2)], byChecks, judge],
  ["unknown is not a pass", [...worked(1), judged(1, "unknown")], byChecks, { do: "judge", try: 2 }],
  [
    "the limit is read after them",
    [...worked(1), judged(1, "fail")],
    { ...byChecks, ...last },
    stops("iteration-limit"),
  ],
  ["a failed turn is not checked", failed(1), byChecks, turn(2)],
  ["a blocked turn is not checked", worked(1, { blocked: "no key" }), byChecks, stops("blocked")],
  ["guardrails come first", worked(1), { spec: { ends: "checks", guardrails: [GUARD] } }, { do: "guard" }],
  ["and veto", [...worked(1), guarded(1, "fail")], { spec: { ends: "checks", guardrails: [GUARD] } }, turn(2)],
  ["a turn ends the loop", worked(1), byTurn, finished],
  ["with a claim too, which is not verified", claimed(1), byTurn, finished],
  ["even if it is the last one allowed", worked(1), { ...byTurn, limits: { maxIterations: 1 } }, finished],
  ["even if the cost limit is reached", worked(1), { ...byTurn, limits: { maxCostUsd: 0.1 } }, finished],
  ["not when it failed", failed(1), byTurn, stops("agent-failed")],
  ["not when it is refused every tool", worked(1, { refused: "Write was refused" }), byTurn, stops("agent-failed")],
  ["not when it is blocked", worked(1, { blocked: "no key" }), byTurn, stops("blocked")],
  ["not when the environment failed", [began(1), voided(1, "overloaded")], byTurn, turn(1, 2)],
  ["not while it runs", [began(1)], byTurn, { do: "await" }],
  ["not before the guardrails", worked(1), { spec: { ends: "turn", guardrails: [GUARD] } }, { do: "guard" }],
  ["not while they fail", [...worked(1), guarded(1, "fail")], { spec: { ends: "turn", guardrails: [GUARD] } }, turn(2)],
  [
    "not before its effects",
    worked(1),
    { spec: { ends: "turn", proof: NO_PROOF, effects: [AFTER] } },
    commit("1/0", AFTER),
  ],
  [
    "also after an interruption, without paying for it again",
    [...worked(1), asked("interrupted"), stopped("interrupted"), adopted],
    byTurn,
    finished,
  ],
  [
    "not when the user has resolved what blocked it: that takes another turn",
    [...worked(1, { blocked: "no key" }), stopped("blocked"), adopted],
    byTurn,
    turn(2),
  ],
  ["and stays ended when resumed", [...worked(1), stopped("finished"), adopted], byTurn, stops("finished")],
])("how a loop ends: %s", (_name, past, given, next) => {
  expect(after(past, given)).toEqual(next);
});

test("a loop continues an existing session, as long as it is the first agent's", () => {
  const usage = { inputTokens: 7, cachedTokens: 0, outputTokens: 2, costUsd: 0.2 };
  const session = { id: "s0", usage };
  const sessionAfter = (...past: LoopEvent[]) => {
    const events = [started({ spec: { ...twoAgents.spec, session, context: "continue" } }), adopted, ...past];
    const { sessionId, sessionUsage } = fold(
      events.map((event, i) => ({ loop: "l", seq: i + 1, epoch: 1, atMs: i, event })),
    );
    return { id: sessionId, usage: sessionUsage };
  };
  expect(sessionAfter()).toEqual(session);
  expect(sessionAfter(began(1))).toEqual(session);
  expect(sessionAfter(began(1), voided(1, "bad-session")).id).toBeNull();
  expect(sessionAfter(began(1, 1, 1))).toEqual({ id: null, usage: NO_USAGE });
  expect(sessionAfter(...worked(1, { sessionId: "s1" }))).toEqual({ id: "s1", usage: NO_USAGE });
  // It failed before it could name its session: its earlier cost is not counted again.
  expect(sessionAfter(...failed(1))).toEqual(session);
});

test("an interrupted judgement is repeated, and its cost counts", () => {
  const usage = { inputTokens: 100, cachedTokens: 0, outputTokens: 10, costUsd: 0.5 };
  const events = [started({}), adopted, ...claimed(1), { type: "judgement.cut", n: 1, usage } as const];
  const state = fold(events.map((event, i) => ({ loop: "l", seq: i + 1, epoch: 1, atMs: i, event })));
  expect(state.spent).toMatchObject({ inputTokens: 110, costUsd: 1.5 });
  expect(decide(state, 10)).toEqual({ do: "judge", try: 1 });
});
