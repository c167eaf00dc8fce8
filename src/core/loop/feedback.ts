import { SEALED } from "../fingerprints.ts";
import { criteriaOf, provedWords } from "../proof/proved.ts";
import { REVIEW_FORM } from "../review.ts";
import { ROLES } from "../task/role.ts";
import { objectionTo } from "./decide.ts";
import type { Verdict } from "./events.ts";
import { appendedPiece, fitted, lineIn, type Piece } from "./feedback-budget.ts";
import {
  DETAIL_CHARS,
  failingChecks,
  findings,
  guardPiece,
  isFailing,
  outputsOf,
  QUOTE_CHARS,
  warnings,
} from "./feedback-results.ts";
import type { LoopSpec } from "./spec.ts";
import type { Feedback, LoopState, Turn } from "./state.ts";
import { doubtWords } from "./words.ts";

const QUOTES = 5;

/**
 * The part of the next prompt that says why turn `n` was not enough: only about that turn, nothing twice, within the
 * character limit.
 */
export function feedbackOf(s: LoopState, turn: Turn, spec: LoopSpec): Feedback {
  const { n } = s;
  const guards = turn.guards ?? [];
  const outputs = outputsOf(guards, turn.verdict?.checks ?? []);
  return fitted(
    [
      ...earlyEnd(turn, n),
      ...refusal(turn, n),
      ...reviewing(turn, spec),
      ...openCriteria(s, turn, spec),
      ...guards.flatMap((result, i) => guardPiece(result, spec.guardrails[i], n, outputs)),
      ...failingChecks(turn.verdict, outputs),
      ...tampering(turn.verdict),
      ...contradictions(turn, n),
      ...findings(turn.verdict, spec),
      ...idleness(s, turn),
      ...warnings(turn.verdict),
      ...notes(turn.verdict),
    ],
    spec.feedbackMaxChars,
  );
}

function earlyEnd({ failed }: Turn, n: number): Piece[] {
  if (!failed) return [];
  const { kind, detail } = failed;
  return [
    appendedPiece(
      (room) =>
        `Iteration ${n} ended early (${kind}): ${lineIn(room, detail, DETAIL_CHARS)}\nContinue from the current files.`,
    ),
  ];
}

/** Whether the reason only repeats other feedback. */
const isExplained = ({ broken = [], tampered = [], checks }: Verdict): boolean =>
  broken.length > 0 || tampered.length > 0 || checks.some(isFailing);

/** What the checks could not see, such as uncommitted files. */
function notes(verdict: Verdict | null): Piece[] {
  if (!verdict?.note || verdict.is === "pass" || !isExplained(verdict)) return [];
  const { note } = verdict;
  return [appendedPiece((room) => `Note: ${lineIn(room, note, DETAIL_CHARS)}`)];
}

/** Says that the claim (or the work, if checks alone decide) was not accepted, and why unless other feedback does. */
function refusal({ verdict, claim }: Turn, n: number): Piece[] {
  if (!verdict || verdict.is === "pass") return [];
  const { broken = [] } = verdict;
  const why = broken.length > 0 ? broken : isExplained(verdict) ? [] : [verdict.reason];
  return [
    appendedPiece((room) => {
      const head = claim
        ? `You claimed completion (${lineIn(room, claim.quote, QUOTE_CHARS)}) in iteration ${n}, but it was not proven`
        : `The work is not done after iteration ${n}`;
      return why.length === 0 ? `${head}.` : `${head}: ${lineIn(room, why.join("; "), DETAIL_CHARS)}`;
    }),
  ];
}

/** What was wrong with the agent's review. */
function reviewing({ review, reviewFault }: Turn, { part }: LoopSpec): Piece[] {
  if (!part || !ROLES[part.place].reviews) return [];
  const form = `It has to be one line in your last message: ${REVIEW_FORM}`;
  if (reviewFault !== undefined)
    return [appendedPiece((room) => `Your review cannot be read: ${lineIn(room, reviewFault, DETAIL_CHARS)}. ${form}`)];
  const isEmpty = review?.approved === false && review.findings.length === 0;
  return isEmpty ? [appendedPiece(() => `Your review neither approves nor names a fault. ${form}`)] : [];
}

/** The acceptance criteria as a checklist, from the last verdict if this turn has none. */
function openCriteria({ proved }: LoopState, { verdict }: Turn, { proof }: LoopSpec): Piece[] {
  if (!proved?.which || verdict?.is === "pass") return [];
  const criteria = criteriaOf(proof, proved, verdict?.checks);
  const when = verdict ? "" : " when last checked";
  return [
    appendedPiece((room) =>
      [
        `Acceptance criteria, ${provedWords(proved)}${when}:`,
        ...criteria.map(({ text, proved, why }) => {
          const words = why ? `${lineIn(room, text)} (${lineIn(room, why, DETAIL_CHARS)})` : lineIn(room, text);
          return `- [${proved ? "x" : " "}] ${words}`;
        }),
      ].join("\n"),
    ),
  ];
}

function tampering(verdict: Verdict | null): Piece[] {
  const tampered = verdict?.tampered ?? [];
  if (tampered.length === 0) return [];
  return [
    appendedPiece((room) =>
      tampered
        .map(
          ({ path, change }) =>
            // Where the files of sealed checks are stays unknown to the agent.
            `${path.startsWith(SEALED) ? "A sealed check" : lineIn(room, path)} decides completion: ${lineIn(room, change, DETAIL_CHARS)}. Restore it.`,
        )
        .join("\n"),
    ),
  ];
}

/** The agent's words against its own claim; without a claim, why a tag did not count as one. */
function contradictions({ doubts, claim, verdict }: Turn, n: number): Piece[] {
  const shown = doubts.filter(({ is }) => !claim || is === "contradicted").slice(0, QUOTES);
  if (shown.length === 0 || verdict?.is === "pass") return [];
  const head = !claim
    ? `Iteration ${n} mentioned the completion tag without claiming completion:`
    : verdict
      ? "Your own words contradict it too:"
      : `You claimed completion in iteration ${n}, but your own words contradict it:`;
  return [
    appendedPiece((room) =>
      [
        head,
        ...shown.map((doubt) => `- ${doubtWords(doubt)}: “${lineIn(room, doubt.quote, QUOTE_CHARS)}”`),
        ...(claim ? [] : [HOW_TO_CLAIM]),
      ].join("\n"),
    ),
  ];
}

const IDLE_ADVICE =
  "Do the work, then claim; a second claim without any work ends the loop. If there is nothing to do, say <blocked>why</blocked>: questions and reports need zero_work_guard: false in the criteria.";

const HOW_TO_CLAIM =
  "When the work is done, write the tag bare, on its own line, as the last thing in your message: no quotes, no code, no words after it.";

function idleness(s: LoopState, turn: Turn): Piece[] {
  if (objectionTo(s, turn) !== "no-work") return [];
  const began = turn.claim ? `You claimed completion in iteration ${s.n}, but` : `After iteration ${s.n}`;
  const fact = `${began} no tool was used and nothing was changed since the loop began.`;
  return [appendedPiece(() => `${fact} ${IDLE_ADVICE}`)];
}
