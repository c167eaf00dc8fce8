import type { Complaint } from "../../../core/complaints.ts";
import type { WorkflowFault } from "../../../core/workflow/fault.ts";

/** What the parser could not read, in words for people and with a hint; of one line only what it found first. */
export function yamlFaults(flaws: readonly Complaint[]): WorkflowFault[] {
  // Where the parser could not follow any more, what else it says makes no sense.
  const deep = flaws.find(({ text }) => text === "nested too deeply");
  const first = new Map<number, Complaint>();
  for (const flaw of deep ? [deep] : flaws) first.set(flaw.line, joined(first.get(flaw.line), flaw));
  return [...first.values()].map((flaw) => ({ ...flaw, key: "", ...inWords(flaw.text) }));
}

/** A key that is indented too far is a part of the value above it to the parser, which then finds two things wrong with that. */
function joined(before: Complaint | undefined, flaw: Complaint): Complaint {
  if (!before) return flaw;
  const isSame = before.column === flaw.column && NESTED.test(before.text) && SEVERAL_LINES.test(flaw.text);
  return isSame ? { ...before, text: GOES_ON } : before;
}

const NESTED = /Nested mappings are not allowed/;
const SEVERAL_LINES = /Implicit keys need to be on a single line/;
const GOES_ON = "the line below is indented as if it were a part of this value";

const ALIKE = "indent keys of one map alike, and the dashes of one list";

/** What the parser says that needs other words, with a hint for each. */
const WORDS: readonly [RegExp, string | null, string][] = [
  [/multiple documents/, "several YAML documents, expected one", "keep one, and remove the lines of ---"],
  [/Tabs are not allowed/i, null, "indent with spaces"],
  [/Map keys must be unique/, "the key is given twice", "keep one of them"],
  [/Excessive alias count/, "aliases unfold to too much", "write out what they stand for"],
  [/nested too deeply/, null, "docs/workflows.md shows whole workflows"],
  [/Unresolved alias/, null, "write out what it stands for"],
  [/Unresolved tag/i, null, "remove the tag that begins with !"],
  [/quote/i, null, "close the quotes, or put a text of several lines below `|`"],
  [NESTED, "a text with a colon and a space in it, without quotes", "put the text in quotes, or in a line below `|`"],
  [
    /Implicit (keys need|map keys need)/,
    "a line that is neither `key: value` nor indented below one",
    "write a colon and a space after the key, or indent the text below `|`",
  ],
  [new RegExp(GOES_ON), null, ALIKE],
  [/must start at the same column|may not be used as an implicit/, "indented otherwise than what is above it", ALIKE],
  [/without - indicator/, "indented otherwise than what is above it", ALIKE],
  [/Plain value cannot start/, null, "put the text in quotes"],
  [/must be sufficiently indented and end with/, null, "close the bracket"],
];

function inWords(message: string): { text: string; hint: string } {
  const [, text, hint] = WORDS.find(([sign]) => sign.test(message)) ?? [];
  return {
    text: text ?? message,
    hint: hint ?? "fix the YAML here: check indentation, quotes, and the colon after each key",
  };
}
