import { shorten } from "../../core/excerpt.ts";

/** An untrusted JSON object: every field is unknown until one of the readers below has checked it. */
export type JsonFields = Readonly<Record<string, unknown>>;

const NO_FIELDS: JsonFields = {};

const isFields = (value: unknown): value is JsonFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The JSON object in a line; empty if the line is anything else. */
export function parseFields(line: string): JsonFields {
  try {
    return asFields(JSON.parse(line));
  } catch {
    return NO_FIELDS; // not an event
  }
}

export const asFields = (value: unknown): JsonFields => (isFields(value) ? value : NO_FIELDS);

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** A positive number; 0 for everything else. */
export const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

/** The model in a line, as a field of an event. */
export const modelOf = ({ model }: JsonFields): { model?: string } =>
  typeof model === "string" && model !== "" ? { model } : {};

const SUMMARY_CHARS = 160;

/** The most descriptive fields of a tool's input, over all agents, best first. */
const DESCRIPTIVE = ["command", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt"];

export function inputSummary(input: unknown): string {
  const fields = asFields(input);
  const description = DESCRIPTIVE.map((key) => asText(fields[key])).find((text) => text !== "");
  return shorten(description ?? (input === undefined ? "" : jsonOf(input)), SUMMARY_CHARS);
}

/** JSON.parse accepts any depth, JSON.stringify does not. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "…";
  }
}
