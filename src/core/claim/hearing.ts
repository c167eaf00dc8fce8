import type { Claim, Doubt, Passage } from "./claim.ts";
import { contradictionsIn } from "./contradiction.ts";
import type { EchoDetector } from "./echo.ts";
import { fenceTracker } from "./fence.ts";
import { guard } from "./guard.ts";
import { looksLike, tidy } from "./lookalike.ts";
import { nearMisses } from "./near-miss.ts";
import { isInNote } from "./notes.ts";
import type { ClaimPolicy } from "./policy.ts";
import { mayHoldTag, signalsIn, type Tag, tagFinder } from "./tag.ts";
import { wordsAfter } from "./trail.ts";
import { type MessageView, startsLine, type ViewPart, type ViewReader } from "./view.ts";

/** The result of reading one message so far. */
export interface MessageReading {
  /** A tag was accepted and decides the message, although its text may differ from the promise. */
  decided: boolean;
  claim: Claim | null;
  contradictions: Doubt[];
  blocked: string | null;
  guarded: Doubt[];
  /** Only white space so far. */
  blank: boolean;
}

type Stretch = Pick<Tag, "start" | "end">;
type Fault = Pick<Doubt, "rule" | "detail">;

const KEPT_DOUBTS = 20;
const LONGEST_REASON = 2_000;
const LONGEST_QUOTE = 200;

/** Reads one message view by view and keeps only its result. */
export function messageReader(policy: ClaimPolicy, echo: EchoDetector): { reading: MessageReading; read: ViewReader } {
  const findTags = tagFinder();
  const fences = fenceTracker();
  const reading: MessageReading = {
    decided: false,
    claim: null,
    contradictions: [],
    blocked: null,
    guarded: [],
    blank: true,
  };

  /** The rule against a tag, or null when no rule applies. */
  function fault(view: MessageView, tag: Tag, wanted: boolean): Fault | null {
    const detail = tag.name === "blocked" ? null : looksLike(tag.inner, policy.promise);
    if (detail !== null) return { rule: "look-alike", detail };
    const rule = ruleAgainst(view, tag, wanted);
    return rule === null ? null : { rule };
  }

  function ruleAgainst(view: MessageView, tag: Tag, wanted: boolean): string | null {
    const eligible = wanted || tag.name === "blocked" || (policy.first && tag.name !== "signal");
    if (!eligible) return "other-text";
    if (isInNote(view, tag)) return "in-note";
    const rule = formFault(policy, view, tag) ?? guard(view, tag, fences.at(view, tag.start), echo);
    // If only words back the claim, the tag must be alone.
    return rule ?? (policy.scope === "last-message" && tag.name !== "blocked" ? wordsAfter(view, tag) : null);
  }

  function weigh(view: MessageView, tag: Tag): void {
    if (tag.name === "blocked" ? reading.blocked !== null || tidy(tag.inner) === "" : reading.decided) return;
    const wanted = matches(policy, tag);
    const against = fault(view, tag, wanted);
    if (against) doubt(view, tag, against);
    else if (tag.name === "blocked") reading.blocked = tag.inner.trim().slice(0, LONGEST_REASON);
    else settle(view, tag, tag.name, wanted);
  }

  function settle(view: MessageView, tag: Tag, name: Claim["tag"], wanted: boolean): void {
    reading.decided = true;
    if (!wanted) {
      doubt(view, tag, { rule: "other-text" });
      return;
    }
    reading.claim = { ...passage(view, tag), text: tidy(tag.inner), tag: name };
    if (policy.contradictions) reading.contradictions = contradictionsIn(view, tag, echo);
  }

  function doubt(view: MessageView, at: Stretch, { rule, detail }: Fault): void {
    reading.guarded.push({ is: "guarded", rule, ...(detail ? { detail } : {}), ...passage(view, at) });
    keepEnds(reading.guarded);
  }

  function read(view: MessageView, part: ViewPart): void {
    if (reading.blank) reading.blank = !/\S/.test(part.glance);
    fences.read(view, part);
    const tags = mayHoldTag(part) ? findTags(view, part) : [];
    const signals = policy.bareSignal ? signalsIn(view, part, policy.promise) : [];
    const known = tags.filter((tag) => isAsked(policy, tag) || tag.name === "blocked");
    for (const tag of [...known, ...signals].sort((a, b) => a.start - b.start)) weigh(view, tag);
    const misses = [...otherTags(policy, tags), ...nearMisses(view, part, policy)];
    for (const miss of misses) doubt(view, miss, miss);
  }

  return { reading, read };
}

/** Only the first and the last doubts are kept. */
export function keepEnds(doubts: Doubt[]): void {
  if (doubts.length > KEPT_DOUBTS) doubts.splice(KEPT_DOUBTS / 2, doubts.length - KEPT_DOUBTS);
}

function matches({ promise, ignoreCase }: ClaimPolicy, tag: Tag): boolean {
  const [found, wanted] = [tidy(tag.inner), tidy(promise)];
  if (wanted === "") return false;
  return found === wanted || (ignoreCase && found.toLowerCase() === wanted.toLowerCase());
}

const isAsked = ({ tags }: ClaimPolicy, { name }: Tag): boolean => tags.some((tag) => tag === name);

/** The right text in an unexpected tag. */
const otherTags = (policy: ClaimPolicy, tags: readonly Tag[]): (Stretch & Fault)[] =>
  tags
    .filter((tag) => tag.name !== "blocked" && !isAsked(policy, tag) && matches(policy, tag))
    .map((tag) => ({ ...tag, rule: "other-tag" }));

/** With `ownLine`, the form must be exactly the requested one. */
function formFault({ ownLine }: ClaimPolicy, { text }: MessageView, tag: Tag): string | null {
  if (!ownLine || tag.name === "blocked") return null;
  const exact =
    text.startsWith(`<${tag.name}>`, tag.start) && text.startsWith(`</${tag.name}>`, tag.end - tag.name.length - 3);
  const alone = startsLine(text, tag.start, 200) && /^[ \t\r]*(?:\n|$)/.test(text.slice(tag.end, tag.end + 200));
  return exact && alone ? null : "own-line";
}

function passage(view: MessageView, { start, end }: Stretch): Passage {
  const quote = view.text.slice(start, Math.min(end, start + LONGEST_QUOTE));
  return { start: view.base + start, end: view.base + start + quote.length, quote };
}
