import { applyEdits, type FormattingOptions, modify } from "jsonc-parser";
import { jsonIn } from "../../../core/json-text.ts";
import { readStories } from "../../../core/schema/story.ts";
import { storyNames } from "./names.ts";
import { storyKey } from "./prd.ts";

/** Sets `passes: true` in a story of a prd.json and changes nothing else; null if it has no such story. */
export function markPassed(text: string, story: string): string | null {
  const value = jsonIn(text);
  const key = storyKey(value);
  const { data } = key === undefined ? {} : readStories(value, key);
  if (key === undefined || !data) return null;
  const index = storyNames(data).indexOf(story);
  if (index === -1) return null;
  const path = [...(key === null ? [] : [key]), index, "passes"];
  return applyEdits(text, modify(text, path, true, { formattingOptions: formattingOf(text) }));
}

/** Formats an added key like the existing ones. */
function formattingOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.startsWith("\t") ? 4 : indent.length, eol };
}
