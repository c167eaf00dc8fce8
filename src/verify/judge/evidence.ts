import { readerOf } from "../../adapters/agents/agent.ts";
import { type Gone, type TurnWords, turnWords } from "../../adapters/agents/output.ts";
import { changesSince } from "../../adapters/git/diff.ts";
import type { AddedLine } from "../../adapters/git/patch.ts";
import { stripAnsi } from "../../core/ansi.ts";
import { withoutNotes } from "../../core/claim/notes.ts";
import { cut } from "../../core/excerpt.ts";
import { type Changes, changesText } from "../../core/judge/changes.ts";
import { evidenceText } from "../../core/judge/evidence-text.ts";
import { type PatternHit, patternWatch } from "../../core/judge/patterns.ts";
import type { Section } from "../../core/judge/question.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { remembers } from "../../core/memory/memory.ts";
import type { StageContext } from "../verification-context.ts";

const CHANGES_CHARS = 60_000;
const FILE_CHARS = 20_000;
const COMMANDS_CHARS = 20_000;
const OUTPUT_CHARS = 2_000;
const CALLS_CHARS = 6_000;
const MESSAGE_CHARS = 6_000;

/** What Ralph has seen of the work itself, and what the agent says about it. */
export interface Evidence {
  sections: Section[];
  /** The first forbidden text that was found, or null. */
  hit: PatternHit | null;
  /** Why the changes are unknown, or null. */
  blind: string | null;
}

/** Gathers the evidence for a judge. `scratch` is a temporary folder, created and removed here. */
export async function gatherEvidence(
  about: StageContext & { state: LoopState },
  patterns: readonly string[],
  scratch: string,
): Promise<Evidence> {
  const { state } = about;
  const watch = patternWatch(patterns);
  const read = await wordsOf(about);
  const words = read && !("gone" in read) ? withoutNotesIn(state, read) : null;
  for (const line of words?.lastMessage.split("\n") ?? []) watch.look(line, () => "the last message");
  const added: AddedLine = (text, path, line) => watch.look(text, () => `${path}:${line}`);
  const changes = await changesOf(about, scratch, patterns.length > 0 ? added : undefined);
  const results = [...(state.turn?.guards ?? []), ...about.results].filter(({ command }) => command !== "");
  const sections = [
    { title: "changes", text: changes ? changesWords(changes) : NO_GIT, proves: true },
    { title: "changed expected results and new suppressions", text: await weakeningText(about), proves: true },
    { title: "commands run by the harness", text: commandsText(results), proves: true },
    { title: "tool calls of the agent", text: callsText(words, goneWords(read)), proves: true },
    {
      title: "last message of the agent, an unproven claim",
      text: words ? cut(words.lastMessage, MESSAGE_CHARS) : `(not known${goneWords(read)})`,
      proves: false,
    },
  ];
  return { sections, hit: watch.hit(), blind: deafness(read, patterns) ?? (changes && blindness(changes, patterns)) };
}

/** A note is addressed to later iterations: nothing in it counts for or against the work. */
const withoutNotesIn = (state: LoopState, words: TurnWords): TurnWords =>
  remembers(state) ? { ...words, lastMessage: withoutNotes(words.lastMessage) } : words;

const NO_GIT = "(there is no git repository here, so what changed is unknown)";

const goneWords = (read: TurnWords | Gone | null): string =>
  read && "gone" in read ? `: the log of its turn cannot be read, ${read.gone}` : "";

/** A last message that is no longer readable may have contained any of the texts. */
function deafness(read: TurnWords | Gone | null, patterns: readonly string[]): string | null {
  if (patterns.length === 0 || (read && !("gone" in read))) return null;
  return `the agent's last message is not known, so negative_patterns cannot be searched for in it${goneWords(read)}`;
}

function blindness(changes: Changes, patterns: readonly string[]): string | null {
  if (changes.is === "failed") return `the changes cannot be read: ${changes.why}`;
  if (patterns.length === 0) return null;
  const hint = "add what is not part of the work to .gitignore";
  if (changes.unseen > 0) return `${changes.unseen} new files were not inspected, because there are too many; ${hint}`;
  const unread = changes.files.find((file) => file.unread);
  return unread ? `negative_patterns cannot be searched for in ${unread.path} (${unread.note}); ${hint}` : null;
}

async function wordsOf({ spec, state, workspace }: StageContext): Promise<TurnWords | Gone | null> {
  const log = state?.turn?.log;
  return log ? turnWords(workspace.blobs, log, await readerOf(spec, state.agent, log)) : null;
}

/** Null without git. */
async function changesOf(
  { spec, state, stops }: StageContext,
  scratch: string,
  added: AddedLine | undefined,
): Promise<Changes | null> {
  if (!spec.tracked) return null;
  const base = spec.part?.base ?? state?.baseline?.head;
  if (base === undefined) return { is: "failed", why: "the commit at which the loop started is unknown" };
  return changesSince({
    cwd: spec.cwd,
    base,
    scratch,
    quit: stops.soft,
    fileChars: FILE_CHARS,
    ...(added ? { added } : {}),
  });
}

const changesWords = (changes: Changes): string =>
  changes.is === "seen" ? changesText(changes, CHANGES_CHARS) : `(not known: ${changes.why})`;

async function weakeningText(about: StageContext): Promise<string> {
  const evidence = await about.evidence();
  return evidence ? evidenceText(evidence) : "(not known)";
}

function commandsText(results: readonly CheckResult[]): string {
  const texts = results.map(({ command, is, reason, excerpt }) =>
    [`$ ${command}`, `${is}: ${reason}`, stripAnsi(cut(excerpt.trim(), OUTPUT_CHARS))].filter(Boolean).join("\n"),
  );
  return cut(texts.join("\n\n"), COMMANDS_CHARS);
}

function callsText(words: TurnWords | null, gone: string): string {
  if (!words?.calls) return `(not known${gone || ": its output does not show them"})`;
  const { count, last } = words.calls;
  if (count === 0) return "It called no tool.";
  const left = count > last.length ? [`… ${count - last.length} calls before these (left out)`] : [];
  return cut([...left, ...last.map((call) => `- ${call}`)].join("\n"), CALLS_CHARS);
}
