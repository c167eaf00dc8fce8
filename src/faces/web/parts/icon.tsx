/** Line icons on a grid of 16, drawn with the text's colour. They say nothing to screen readers. */
const PATHS = {
  overview: "M2.5 2.5h4.5v5h-4.5zM9 2.5h4.5v3H9zM9 8h4.5v5.5H9zM2.5 10h4.5v3.5h-4.5z",
  board: "M2.5 2.5h3v11h-3zM7 2.5h3v7H7zM11.5 2.5h2v9h-2z",
  loops: "M3 8a5 5 0 0 1 8.6-3.5L13 6M13 2.8V6H9.8M13 8a5 5 0 0 1-8.6 3.5L3 10M3 13.2V10h3.2",
  workflows: "M2.5 2.5h4v4h-4zM9.5 9.5h4v4h-4zM4.5 6.5v3a2 2 0 0 0 2 2h3",
  stats: "M2.5 13.5h11M4.5 11V7.5M8 11V3M11.5 11V5.5",
  new: "M8 3v10M3 8h10",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  leave: "M6.5 2.5h-4v11h4M7 8h6.5M11 5.5 13.5 8 11 10.5",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
