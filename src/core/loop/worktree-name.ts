import { RalphError } from "../errors.ts";
import { ID_WORDS, isId } from "../task/task.ts";

const SLUG_CHARS = 32;

/** The name of a loop's branch and worktree: the given one, or words of its title and its id. */
export function worktreeName(given: string | null, { title, id }: { title: string; id: string }): string {
  if (given !== null) return checked(given);
  const slug = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, SLUG_CHARS)
    .replace(/-+$/, "");
  return slug === "" ? id : `${slug}-${id}`;
}

function checked(name: string): string {
  // Git refuses these in the name of a branch.
  if (isId(name) && !name.includes("..") && !name.endsWith(".")) return name;
  throw new RalphError("worktree-name", `${JSON.stringify(name)} cannot be the name of a worktree`, {
    hint: `it names a branch and a folder: ${ID_WORDS}; such as --worktree=csv-export`,
  });
}
