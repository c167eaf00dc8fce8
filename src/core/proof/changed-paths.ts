const MOST_PATHS = 200;

/** At most 200 paths that cover the given ones: where there are more, folders, which end with a slash. */
export function coveringPaths(paths: readonly string[]): string[] {
  const deepest = paths.reduce((depth, path) => Math.max(depth, path.split("/").length), 1);
  for (let depth = deepest; depth > 0; depth--) {
    const found = [...new Set(paths.map((path) => cutTo(path, depth)))];
    if (found.length <= MOST_PATHS) return found.sort();
  }
  return ["/"];
}

function cutTo(path: string, depth: number): string {
  const parts = path.split("/");
  return parts.length <= depth ? path : `${parts.slice(0, depth).join("/")}/`;
}

/** Whether a path is one of the given ones, or in a folder among them. */
export function coveredBy(covering: readonly string[]): (path: string) => boolean {
  const files = new Set(covering);
  const folders = covering.filter((path) => path.endsWith("/"));
  return (path) => files.has("/") || files.has(path) || folders.some((folder) => path.startsWith(folder));
}
