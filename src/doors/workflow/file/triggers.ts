import type { Workflow } from "../../../core/workflow/workflow.ts";

const HEADING = /(?<![\w"“])triggers?:/i;
const QUOTED = /"([^"]+)"|“([^”]+)”|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu;
/** The next heading, such as `Does:` or `Use when:`, ends the triggers. */
const NEXT = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]*(?:[ \t]\p{L}+)?:(?=\s|$)/u;

/** The quoted phrases of a description between `Triggers:` and the next heading. */
export function triggersOf(description: string): string[] {
  const heading = HEADING.exec(description);
  if (!heading) return [];
  const rest = description.slice(heading.index + heading[0].length);
  // A colon in a phrase is not a heading.
  const blanked = rest.replace(QUOTED, (phrase) => "_".repeat(phrase.length));
  const own = rest.slice(0, NEXT.exec(blanked)?.index);
  const phrases = [...own.matchAll(QUOTED)].map(([, a, b, c]) => plain(a ?? b ?? c ?? ""));
  return [...new Set(phrases.filter((phrase) => /[\p{L}\p{N}]/u.test(phrase)))];
}

const plain = (text: string): string => text.normalize().replace(/\s+/g, " ").trim();

type Named = Pick<Workflow, "name" | "triggers">;

export type WorkflowMatch<W extends Named = Workflow> =
  | {
      is: "match";
      workflow: W;
      message: string;
      by: "name" | "trigger";
    }
  | { is: "ambiguous"; workflows: readonly W[]; phrase: string }
  /** `asked`: the unknown name after `/workflow run`. */
  | { is: "none"; asked: string | null };

/**
 * The workflow whose name or trigger is in a message. `/workflow run` only matches names. Otherwise the longest phrase
 * wins, and a name wins over a trigger of the same length.
 */
export function matchWorkflow<W extends Named>(message: string, workflows: readonly W[]): WorkflowMatch<W> {
  const said = message.trim();
  const command = /^\/?workflow\s+run\s+/i.exec(said);
  if (command) {
    const text = said.slice(command[0].length);
    return best(namedBy(text, said, workflows)) ?? { is: "none", asked: /^\S*/.exec(text)?.[0] ?? "" };
  }
  const begins = /^\/?run\s+(?:(?:the\s+)?workflow\s+)?/i.exec(said)?.[0] ?? "";
  const found = [
    ...namedBy(said, said, workflows),
    ...(begins === "" ? [] : namedBy(said.slice(begins.length), said, workflows)),
    ...triggeredBy(said, workflows),
  ];
  return best(found) ?? { is: "none", asked: null };
}

interface Found<W> {
  workflow: W;
  phrase: string;
  message: string;
  by: "name" | "trigger";
}

/** Workflows whose name starts the text. The rest is the message; if there is none, the whole text. */
function namedBy<W extends Named>(text: string, said: string, workflows: readonly W[]): Found<W>[] {
  return workflows.flatMap((workflow): Found<W>[] => {
    const { name } = workflow;
    const begins = text.slice(0, name.length).toLowerCase() === name.toLowerCase();
    if (!begins || !isEdge(text, name.length)) return [];
    const rest = text.slice(name.length).replace(/^\s*(?:[:,]|[-–—](?=\s))?\s*/, "");
    return [{ workflow, phrase: name, message: rest === "" ? said : rest, by: "name" }];
  });
}

/** Workflows with a trigger that is in the message as whole words. */
function triggeredBy<W extends Named>(said: string, workflows: readonly W[]): Found<W>[] {
  const text = plain(said).toLowerCase();
  return workflows.flatMap((workflow) =>
    workflow.triggers
      .filter((phrase) => holds(text, phrase.toLowerCase()))
      .map((phrase): Found<W> => ({ workflow, phrase, message: said, by: "trigger" })),
  );
}

function holds(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (isEdge(text, at) && isEdge(text, at + phrase.length)) return true;
  }
  return false;
}

const isEdge = (text: string, at: number): boolean =>
  !/^[\p{L}\p{N}_]{2}$/u.test(text.slice(Math.max(0, at - 1), at + 1));

function best<W extends Named>(found: readonly Found<W>[]): WorkflowMatch<W> | null {
  const rank = ({ phrase, by }: Found<W>) => phrase.length * 2 + (by === "name" ? 1 : 0);
  const [first, ...others] = [...found].sort((a, b) => rank(b) - rank(a));
  if (!first) return null;
  const rivals = others.filter((one) => rank(one) === rank(first) && one.workflow !== first.workflow);
  // If a workflow is both named and triggered, as in "run ralph on the docs", the message is the text after the name.
  const { workflow, message, by } = found.find((one) => one.by === "name" && one.workflow === first.workflow) ?? first;
  if (rivals.length === 0) return { is: "match", workflow, message, by };
  return {
    is: "ambiguous",
    workflows: [...new Set([first, ...rivals].map(({ workflow }) => workflow))],
    phrase: first.phrase,
  };
}
