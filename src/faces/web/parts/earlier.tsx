import { Button } from "./button.tsx";

interface EarlierProps {
  loop: string;
  /** How many attempts come before the first one on the page. */
  count: number;
  /** Null: the page has as many as it can show. */
  showMore: (() => void) | null;
}

/** What a timeline leaves out, and how to see it. */
export function Earlier({ loop, count, showMore }: EarlierProps) {
  if (count === 0) return null;
  if (showMore)
    return (
      <p class="row-buttons">
        <Button onClick={showMore}>Show earlier attempts ({count})</Button>
      </p>
    );
  return (
    <p class="soft">
      {count === 1 ? "1 earlier attempt" : `${count} earlier attempts`}: <code class="command">ralph why {loop}</code>
    </p>
  );
}
