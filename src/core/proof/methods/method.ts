import type { AgentSpec } from "../../agent-spec.ts";
import type { Completion } from "../../schema/criteria.ts";
import type { Configured } from "../../schema/methods.ts";
import type { ReceiptStage } from "../../schema/receipt.ts";
import type { AgentRole } from "../../task/role.ts";
import type { External, Leaf, LeafOf, MethodName } from "../proof.ts";

/** The pure part of a verification method; `verify/methods` runs it. */
export type ProofMethod<M extends MethodName> = MethodFor<LeafOf<M>, Extract<Configured, { method: M }>>;

/** The method of any stage. */
export type AnyMethod = MethodFor<Leaf, Exclude<Configured, { method: "multi_stage" }>>;

interface MethodFor<L extends Leaf, Given extends Configured> {
  /** Whether it backs a claim with more than the agent's own word. */
  backs: boolean;
  /** Whether it also runs before any work. */
  inBaseline: boolean;
  /** Whether it needs the commit at which the work started. */
  needsStart: boolean;
  /** Whether it runs in the clean room, if the proof has one, instead of the loop's folder. */
  inCleanRoom: boolean;
  /** Whether it costs money: it is skipped once the claim is refuted. */
  costsMoney: boolean;
  /** The configuration of a stage that only names the method; null: it must be configured. */
  configAlone: Readonly<Record<string, unknown>> | null;
  /** Fills in the defaults of a stage. */
  resolve(given: Given, request: ResolveRequest): L;
  /** What a stage checks, on one line. */
  subject(leaf: L): string;
  /** The conditions of a stage, shown in parentheses. */
  facts(leaf: L): string[];
  /** The name of a stage while it runs; null: it takes no time, and nothing is shown. */
  progress(leaf: L): string | null;
  /** What decides a stage, and must not change while the loop runs. */
  uses(leaf: L): UsedParts;
  /** The stage without its secrets. */
  receipt(leaf: L, common: ReceiptCommon): ReceiptStage;
}

interface UsedParts {
  /** Commands, and the folder each runs in, relative to the loop's. */
  commands?: readonly Pick<External, "command" | "workingDir">[];
  /** Agents that judge; null: the loop's own. */
  judges?: readonly (AgentSpec | null)[];
  plugins?: readonly string[];
  /** Files and folders outside the checkout with sealed checks. */
  sealed?: readonly string[];
}

interface ResolveRequest {
  /** The fields of every stage; the name is empty if the stage has none. */
  common: Pick<Leaf, "name" | "required" | "parallel" | "cache" | "requireRedFirst" | "criterion">;
  timeoutS: number | undefined;
  resolving: Resolving;
}

type ReceiptCommon = Pick<ReceiptStage, "name" | "required" | "criterion">;

/** Values for criteria that come from their context. */
export interface ProofContext {
  /** Further commands that must exit 0. */
  verify: readonly string[];
  checkTimeoutS: number | undefined;
  /** Fields of the task that texts may name, as in `{{title}}`. */
  fields: Readonly<Record<string, string>>;
  /** The agent's role in a task: each has its own rules. */
  role?: AgentRole;
}

/** A context with the criteria that are being resolved. */
export interface Resolving extends ProofContext {
  completion: Completion;
  /** The criteria that `{{acceptance_criteria}}` expands to. */
  acceptance: readonly string[];
}

/** A configuration with the timeout of its stage, if it has none itself. */
export const withTimeout = <Config extends { timeout?: number }>(
  config: Config,
  timeout: number | undefined,
): Config => (timeout === undefined ? config : { timeout, ...config });

/** One text or several, as a list. */
export const listed = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? [given] : given;
