import { LEVELS } from "../proof/level.ts";
import { ROLES } from "../task/role.ts";
import type { Reason, ReasonKind } from "./reason.ts";
import type { StatsPlace } from "./stats.ts";
import type { Sums } from "./sums.ts";

export const statsPlaceWords = (place: StatsPlace): string => (place === "own" ? "own loops" : ROLES[place].statsLabel);

const KINDS: Readonly<Record<ReasonKind, string>> = {
  check: "check failed",
  judge: "judge not convinced",
  guardrail: "guardrail failed",
  rule: "rule broken",
  tampering: "tampering",
  contradiction: "contradicted",
  "no-work": "no work",
  blocked: "blocked",
  faults: "faults found",
  unknown: "could not be checked",
};

const NAMED: ReadonlySet<ReasonKind> = new Set(["check", "judge", "guardrail", "rule", "unknown"]);

/** Why a claim was refused: the kind of reason, and its name if there can be several. */
export const reasonLabel = ({ kind, name }: Reason): { kind: string; name: string } => ({
  kind: KINDS[kind],
  name: NAMED.has(kind) ? name : "",
});

/** `62 %`; a dash if the share is undefined. */
export const percent = (share: number | null): string => (share === null ? "–" : `${Math.round(share * 100)} %`);

/** `3 verified, 1 still-green`: each level that occurs, and always the number of verified ones. */
export const levelCounts = ({ levels }: Pick<Sums, "levels">): string =>
  LEVELS.filter((level) => level === "verified" || levels[level] > 0)
    .map((level) => `${levels[level]} ${level}`)
    .join(", ");
