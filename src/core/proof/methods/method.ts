import type { AgentSpec } from "../../agent-spec.ts";
import type { Completion } from "../../schema/criteria.ts";
import type { Configured } from "../../schema/methods.ts";
import type { ReceiptStage } from "../../schema/receipt.ts";
import type { AgentRole } from "../../task/role.ts";
import type { External, Leaf, LeafOf, MethodName } from "../proof.ts";

/** A verification method, apart from how it is run: `verify/methods` has that. */
export type ProofMethod<M extends MethodName> = MethodFor<LeafOf<M>, Extract<Configured, { method: M }>>;

/** The method of some stage, whichever that is. */
export type AnyMethod = MethodFor<Leaf, Exclude<Configured, { method: "multi_stage" }>>;

interface MethodFor<L extends Leaf, Given extends Configured> {
  /** Whether it backs a claim by more than the agent's own word. */
  backs: boolean;
  /** Whether it runs before any work, too. */
  inBaseline: boolean;
  /** Whether it has to know where the work began. */
  needsStart: boolean;
  /** Whether it sees the clean room, where the proof has one, instead of the loop's folder. */
  inCleanRoom: boolean;
  /** Whether it costs money: it is skipped once the claim is refuted. */
  costsMoney: boolean;
  /** The configuration of a stage that names the method and nothing else; null: it has to be configured. */
  configAlone: Readonly<Record<string, unknown>> | null;
  /** Decides everything that a stage leaves open. */
  resolve(given: Given, request: ResolveRequest): L;
  /** What a stage checks, on one line. */
  subject(leaf: L): string;
  /** The conditions of a stage, for the parentheses behind its subject. */
  facts(leaf: L): string[];
  /** The name of a stage while it runs; null: it takes no time, and nothing is shown. */
  progress(leaf: L): string | null;
  /** What answers a stage, and must not change while the loop runs. */
  uses(leaf: L): UsedParts;
  /** The stage without its secrets. */
  receipt(leaf: L, common: ReceiptCommon): ReceiptStage;
}

interface UsedParts {
  /** Commands, and the folder that each runs in, seen from the loop's. */
  commands?: readonly Pick<External, "command" | "workingDir">[];
  /** Agents that judge; null: the loop's own. */
  judges?: readonly (AgentSpec | null)[];
  plugins?: readonly string[];
}

interface ResolveRequest {
  /** The fields that every stage has; the name is empty where the stage has none. */
  common: Pick<Leaf, "name" | "required" | "parallel" | "cache" | "requireRedFirst" | "criterion">;
  timeoutS: number | undefined;
  resolving: Resolving;
}

type ReceiptCommon = Pick<ReceiptStage, "name" | "required" | "criterion">;

/** What criteria leave to their surroundings. */
export interface ProofContext {
  /** Further commands that have to exit 0. */
  verify: readonly string[];
  checkTimeoutS: number | undefined;
  /** Fields of the task that texts may name, as in `{{title}}`. */
  fields: Readonly<Record<string, string>>;
  /** Whose part of a task it is: each has rules of its own. */
  role?: AgentRole;
}

/** A context with the criteria that are being resolved. */
export interface Resolving extends ProofContext {
  completion: Completion;
  /** The criteria that `{{acceptance_criteria}}` expands to. */
  acceptance: readonly string[];
}

/** A configuration with the timeout of its stage, where it has none itself. */
export const withTimeout = <Config extends { timeout?: number }>(
  config: Config,
  timeout: number | undefined,
): Config => (timeout === undefined ? config : { timeout, ...config });

/** One text or several, as a list. */
export const listed = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? [given] : given;
