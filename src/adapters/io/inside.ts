import { dirname, relative, sep } from "node:path";

/** Whether a path is below a folder. Symlinks are not followed, so both paths must be resolved, or neither. */
export const isBelow = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

export const isInside = (path: string, folder: string): boolean => path === folder || isBelow(path, folder);

/** A folder and its parents up to `top`; nothing if it is not inside `top`. */
export function* foldersUpTo(folder: string, top: string): Generator<string> {
  for (let at = folder; isInside(at, top); at = dirname(at)) {
    yield at;
    if (at === top) return;
  }
}

/** A path relative to a folder; absolute if it is outside. */
export function seenFrom(folder: string, path: string): string {
  const way = relative(folder, path);
  return way.startsWith("..") ? path : way;
}
