/**
 * A dependency cycle reachable from these tasks, with its first task repeated at the end; null if there is none.
 * Not recursive: a chain may be as long as the list of tasks.
 */
export function circleFrom(starts: Iterable<string>, needsOf: (id: string) => readonly string[]): string[] | null {
  const settled = new Set<string>();
  for (const start of starts) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const left: { id: string; needs: Iterator<string> }[] = [];
    const enter = (id: string) => {
      path.push(id);
      onPath.add(id);
      left.push({ id, needs: needsOf(id)[Symbol.iterator]() });
    };
    if (!settled.has(start)) enter(start);
    for (let here = left.at(-1); here; here = left.at(-1)) {
      const next = here.needs.next();
      if (next.done) {
        settled.add(here.id);
        onPath.delete(here.id);
        path.pop();
        left.pop();
      } else if (onPath.has(next.value)) {
        return [...path.slice(path.indexOf(next.value)), next.value];
      } else if (!settled.has(next.value)) {
        enter(next.value);
      }
    }
  }
  return null;
}
