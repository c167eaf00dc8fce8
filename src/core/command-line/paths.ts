/** The path that another one leads to from a folder. Both use `/`; the folder is absolute. */
export function resolved(folder: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** The folder that contains a path. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/"))) || "/";
