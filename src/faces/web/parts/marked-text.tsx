/** What is bold or code in Markdown, within a line. */
const MARKED = /(\*\*[^\s*][^*\n]*\*\*|`[^`\n]+`)/;

/** Text with its bold and code parts set off; everything else, HTML too, stays as it was written. */
export function MarkedText({ text }: { text: string }) {
  return (
    <>
      {text.split(MARKED).map((part) => {
        if (part.startsWith("**") && part.length > 4) return <strong>{part.slice(2, -2)}</strong>;
        if (part.startsWith("`") && part.length > 2) return <code>{part.slice(1, -1)}</code>;
        return part;
      })}
    </>
  );
}
