import { stripAnsi } from "../../core/ansi.ts";

/** The number of lines kept from the beginning, and again from the end. */
const MOST_LINES = 60;
const MOST_CHARS = 2_000;

/** Collects the lines that match `form` from several streams, in bounded memory. */
export function lineFilter(form: RegExp | undefined) {
  const first: string[] = [];
  const last: string[] = [];
  const keep = (line: string) => {
    const text = stripAnsi(line).trimEnd();
    if (!form?.test(text)) return;
    if (first.length < MOST_LINES) first.push(text);
    else if (last.push(text) > MOST_LINES) last.shift();
  };
  const open: (() => string)[] = [];
  return {
    source() {
      let rest = "";
      open.push(() => rest);
      return (text: string) => {
        if (!form) return;
        const lines = (rest + text).split("\n");
        // The beginning of an endless line is enough to match it.
        rest = (lines.pop() ?? "").slice(0, MOST_CHARS);
        for (const line of lines) keep(line.slice(0, MOST_CHARS));
      };
    },
    found(): readonly string[] {
      for (const rest of open.splice(0)) keep(rest());
      return [...first, ...last];
    },
  };
}
