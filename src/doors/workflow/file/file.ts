import { resolve } from "node:path";
import { placedYaml } from "../../../adapters/io/yaml-document.ts";
import { type Complaint, keyName } from "../../../core/complaints.ts";
import type { FaultyFile, WorkflowFault } from "../../../core/workflow/fault.ts";
import type { Workflow } from "../../../core/workflow/workflow.ts";
import { readInside, seenFrom } from "./checked-file.ts";
import type { CommandText } from "./part.ts";
import { readWorkflow } from "./read.ts";

/** Far more than people write. */
const MOST_BYTES = 128 * 1024;

export type FileRead =
  | { workflow: Workflow; namePlace: { line: number; column: number }; faulty: null }
  | { faulty: FaultyFile };

interface WantedFile {
  path: string;
  cwd: string;
  /** The folder that links must not lead out of; null: they may lead anywhere. */
  root: string | null;
  command: CommandText;
}

/** Reads one workflow's file. Whatever is wrong with it is a value, at its place. */
export function readWorkflowFile({ path, cwd, root, command }: WantedFile): FileRead {
  const file = seenFrom(cwd, resolve(cwd, path));
  const read = readInside(resolve(cwd, path), root, MOST_BYTES);
  if (read.what !== null) {
    return { faulty: { file, name: null, faults: [{ ...read.place, key: "", text: read.what, hint: read.hint }] } };
  }
  return readWorkflowText(read.text, { file, command });
}

export function readWorkflowText(source: string, { file, command }: { file: string; command: CommandText }): FileRead {
  const yaml = placedYaml(source.replace(/^\uFEFF/, ""));
  if (yaml.flaws) {
    return { faulty: { file, name: null, faults: ordered(yamlFaults(yaml.flaws)) } };
  }
  const { places } = yaml;
  const read = readWorkflow(yaml.value, { file, command });
  if (read.workflow) return { workflow: read.workflow, namePlace: places(["name"], "value"), faulty: null };
  const faults = read.faults.slice(0, MOST_PLACED).map(({ path, at, text, hint }) => ({
    ...places(path, at),
    key: keyName(path),
    text,
    hint,
  }));
  return { faulty: { file, name: read.name, faults: ordered(faults) } };
}

/** Many faults of one file have few causes: those after the first ones would only be scrolled past. */
const MOST_FAULTS = 50;
/** Looking for a place takes the longer the more there is in the file. */
const MOST_PLACED = 200;

/** In the order of the file, and each once. */
const ordered = (faults: readonly WorkflowFault[]): WorkflowFault[] =>
  [...new Map(faults.map((fault) => [`${fault.line}:${fault.column} ${fault.text}`, fault])).values()]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, MOST_FAULTS);

/** What the parser could not read, in words for people and with a hint; of one line only what it found first. */
function yamlFaults(flaws: readonly Complaint[]): WorkflowFault[] {
  // After a syntax error the parser's other errors make no sense.
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
