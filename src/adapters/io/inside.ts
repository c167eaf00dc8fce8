import { dirname, sep } from "node:path";

/** Whether a path lies below a folder. Both have to be real paths, or neither: links are not followed. */
export const isBelow = (path: string, folder: string): boolean =>
  path !== folder && path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** Whether a path is a folder, or lies below it. */
export const isInside = (path: string, folder: string): boolean => path === folder || isBelow(path, folder);

/** A folder and those above it, up to `top`; none where it is not inside that. */
export function* foldersUpTo(folder: string, top: string): Generator<string> {
  for (let at = folder; isInside(at, top); at = dirname(at)) {
    yield at;
    if (at === top) return;
  }
}
