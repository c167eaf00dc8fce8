import { shorten } from "../../core/excerpt.ts";

/** A JSON object from outside: every field is unknown until one of the readers below has looked at it. */
export type JsonFields = Readonly<Record<string, unknown>>;

const NO_FIELDS: JsonFields = {};

const isFields = (value: unknown): value is JsonFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object that a line holds; none where the line is anything else. */
export function parseFields(line: string): JsonFields {
  try {
    return asFields(JSON.parse(line));
  } catch {
    return NO_FIELDS; // a broken line is no event
  }
}

export const asFields = (value: unknown): JsonFields => (isFields(value) ? value : NO_FIELDS);

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** A number that counts something; 0 for everything else. */
export const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

/** The model that a line names, as an event tells it. */
export const modelOf = ({ model }: JsonFields): { model?: string } =>
  typeof model === "string" && model !== "" ? { model } : {};

const SUMMARY_CHARS = 160;

/** What a tool's input is about, best first, over all the agents' tools. */
const TELLING = ["command", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt"];

/** A tool's input as one line. */
export function inputSummary(input: unknown): string {
  const fields = asFields(input);
  const telling = TELLING.map((key) => asText(fields[key])).find((text) => text !== "");
  return shorten(telling ?? (input === undefined ? "" : jsonOf(input)), SUMMARY_CHARS);
}

/** Reading JSON takes any depth, writing it does not. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "…";
  }
}
