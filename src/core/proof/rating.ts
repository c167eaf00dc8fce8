import type { Proof } from "./proof.ts";
import { leavesOf } from "./proof.ts";

/** What is known about the checks of a repository. */
export interface CheckFacts {
  proof: Proof;
  checks: number;
  /** How many of them run a test runner whose tests are counted. */
  counted: number;
  /** How many files and values are frozen or pinned, and tests watched. */
  frozen: number;
  /** How many have nothing that could be protected. */
  bare: number;
  /** What the agent may change, judged by the project's layout; empty if unknown. */
  proposal: readonly string[];
}

interface Rating {
  is: "weak" | "fair" | "good" | "strong";
  /** What is scoped, sealed, counted and frozen. */
  says: string;
  /** The step that would help most; empty if there is none. */
  next: string;
}

/** How hard it is to pass the checks without doing the work. */
export function ratingOf(facts: CheckFacts): Rating {
  const { proof, checks, counted, frozen } = facts;
  const sealed = leavesOf(proof.stages).filter(({ method }) => method === "sealed").length;
  const isOracle = proof.cleanRoom?.mode === "oracle";
  const scope = proof.scope.length > 0 ? `scope ${proof.scope.join(", ")}` : "no scope";
  const room = isOracle ? "oracle room" : proof.cleanRoom ? "clean room of the commit" : "no clean room";
  const says = [
    `${checks} ${checks === 1 ? "check" : "checks"}`,
    scope,
    room,
    `${sealed} sealed`,
    `${counted} counted`,
    `${frozen} protected (files, values, tests)`,
  ].join(" · ");
  return { ...gradeOf(facts, { isOracle, sealed }), says };
}

function gradeOf(
  { proof, bare, proposal }: CheckFacts,
  { isOracle, sealed }: { isOracle: boolean; sealed: number },
): Pick<Rating, "is" | "next"> {
  if (proof.scope.length === 0) {
    const [more, patterns] = proposal.length > 0 ? ["", proposal] : [", for example", ["src/**", "+test/**"]];
    return {
      is: bare > 0 ? "weak" : "fair",
      next: `limit what the agent may change${more}: "completion": {"scope": ${JSON.stringify(patterns)}}`,
    };
  }
  if (!isOracle)
    return { is: "good", next: 'run the checks without anything else the agent did: "clean_room": "oracle"' };
  if (sealed > 0) return { is: "strong", next: "" };
  return { is: "strong", next: 'keep some checks from the agent: "sealed": [{"from": …, "to": …, "run": …}]' };
}
