type Direction = "up" | "down" | "left" | "right";
const KEYS: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  k: "up",
  j: "down",
  h: "left",
  l: "right",
};

/** Where the focus goes in lanes of these lengths; the same place if there is nothing in that direction. */
export function moved(
  lengths: readonly number[],
  [lane, index]: readonly [number, number],
  to: Direction,
): [number, number] {
  if (to === "up") return [lane, Math.max(0, index - 1)];
  if (to === "down") return [lane, Math.max(0, Math.min((lengths[lane] ?? 0) - 1, index + 1))];
  const step = to === "left" ? -1 : 1;
  for (let next = lane + step; next >= 0 && next < lengths.length; next += step) {
    const length = lengths[next] ?? 0;
    if (length > 0) return [next, Math.min(index, length - 1)];
  }
  return [lane, index];
}

/** Arrow keys and `hjkl` move the focus between cards. */
export function boardKey(event: KeyboardEvent): void {
  const to = KEYS[event.key];
  const { currentTarget: board, target } = event;
  if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(board instanceof HTMLElement) || !(target instanceof HTMLElement) || !target.matches(".card-title")) return;
  const lanes = [...board.querySelectorAll("[data-lane]")].map((lane) => [
    ...lane.querySelectorAll<HTMLElement>(".card-title"),
  ]);
  const lane = lanes.findIndex((cards) => cards.includes(target));
  const index = lanes[lane]?.indexOf(target) ?? 0;
  const [toLane, toIndex] = moved(
    lanes.map(({ length }) => length),
    [lane, index],
    to,
  );
  event.preventDefault();
  lanes[toLane]?.[toIndex]?.focus();
}
