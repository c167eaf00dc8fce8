import type { Line, Span } from "./ansi.ts";

/** A line of output; text that was searched for is marked. */
export function LineView({ line, filter }: { line: Line; filter: string }) {
  return (
    <div class="line">
      {line.map((span, i) => (
        <SpanView key={i} span={span} filter={filter} />
      ))}
    </div>
  );
}

function SpanView({ span: { text, look }, filter }: { span: Span; filter: string }) {
  const content = filter === "" ? text : marked(text, filter);
  return look === "" ? content : <span class={look}>{content}</span>;
}

function marked(text: string, filter: string) {
  const [lower, needle] = [text.toLowerCase(), filter.toLowerCase()];
  // Few letters change their length, and a text with them has no marks in the wrong places.
  if (lower.length !== text.length || !lower.includes(needle)) return text;
  const parts = [];
  let at = 0;
  for (let found = lower.indexOf(needle); found >= 0; found = lower.indexOf(needle, at)) {
    parts.push(text.slice(at, found), <mark>{text.slice(found, found + needle.length)}</mark>);
    at = found + needle.length;
  }
  return [...parts, text.slice(at)];
}
