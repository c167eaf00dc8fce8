import { resolve } from "node:path";
import { seenFrom } from "../../../adapters/io/inside.ts";
import { placedYaml } from "../../../adapters/io/yaml-document.ts";
import { type Complaint, keyName } from "../../../core/complaints.ts";
import type { FaultyFile, WorkflowFault } from "../../../core/workflow/fault.ts";
import type { Workflow } from "../../../core/workflow/workflow.ts";
import { readInside } from "./checked-file.ts";
import type { CommandText } from "./part.ts";
import { readWorkflow } from "./read.ts";

const MOST_BYTES = 128 * 1024;

export type FileRead =
  | { workflow: Workflow; namePlace: { line: number; column: number }; faulty: null }
  | { faulty: FaultyFile };

interface WantedFile {
  path: string;
  cwd: string;
  /** The folder that links must not leave; null: no restriction. */
  root: string | null;
  command: CommandText;
}

/** Reads a workflow file. Faults are returned with their positions, not thrown. */
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

/** Many faults of one file have few causes, so only the first ones are shown. */
const MOST_FAULTS = 50;
/** Finding a position takes longer in a longer file. */
const MOST_PLACED = 200;

/** Sorted by position, without duplicates. */
const ordered = (faults: readonly WorkflowFault[]): WorkflowFault[] =>
  [...new Map(faults.map((fault) => [`${fault.line}:${fault.column} ${fault.text}`, fault])).values()]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .slice(0, MOST_FAULTS);

/** The parser's errors in plain words with hints; only the first one of each line. */
function yamlFaults(flaws: readonly Complaint[]): WorkflowFault[] {
  // After a syntax error the parser's other errors make no sense.
  const deep = flaws.find(({ text }) => text === "nested too deeply");
  const first = new Map<number, Complaint>();
  for (const flaw of deep ? [deep] : flaws) first.set(flaw.line, joined(first.get(flaw.line), flaw));
  return [...first.values()].map((flaw) => ({ ...flaw, key: "", ...inWords(flaw.text) }));
}

/** For a key that is indented too far, the parser reports two errors in the value above it. */
function joined(before: Complaint | undefined, flaw: Complaint): Complaint {
  if (!before) return flaw;
  const isSame = before.column === flaw.column && NESTED.test(before.text) && SEVERAL_LINES.test(flaw.text);
  return isSame ? { ...before, text: GOES_ON } : before;
}

const NESTED = /Nested mappings are not allowed/;
const SEVERAL_LINES = /Implicit keys need to be on a single line/;
const GOES_ON = "the next line is indented as part of this value";

const ALIKE = "indent all keys of a map, and all dashes of a list, equally";

/** Parser messages with a clearer text, if they need one, and a hint. */
const WORDS: readonly [RegExp, string | null, string][] = [
  [/multiple documents/, "several YAML documents, expected one", "keep one, and remove the --- lines"],
  [/Tabs are not allowed/i, null, "indent with spaces"],
  [/Map keys must be unique/, "the key is given twice", "keep one of them"],
  [/Excessive alias count/, "aliases expand to too much", "replace them with their values"],
  [/nested too deeply/, null, "docs/workflow-files.md shows complete workflows"],
  [/Unresolved alias/, null, "replace it with its value"],
  [/Unresolved tag/i, null, "remove the tag that starts with !"],
  [/quote/i, null, "close the quotes, or put a text of several lines below `|`"],
  [NESTED, "a text with a colon and a space in it, without quotes", "put the text in quotes, or in a line below `|`"],
  [
    /Implicit (keys need|map keys need)/,
    "a line that is neither `key: value` nor indented below one",
    "write a colon and a space after the key, or indent the text below `|`",
  ],
  [new RegExp(GOES_ON), null, ALIKE],
  [/must start at the same column|may not be used as an implicit/, "indented differently from the lines above", ALIKE],
  [/without - indicator/, "indented differently from the lines above", ALIKE],
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
