import { isId } from "../../../core/task/task.ts";

const LONGEST = 64;

/** Converts a name to a valid id; null if that is not possible. */
export function slugId(name: string): string | null {
  const slug = name
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/\.{2,}|\.(?=-)/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, LONGEST - 4)
    .replace(/[.-]+$/, "");
  return isId(slug) ? slug : null;
}

export interface FreeIds {
  /** The id itself, or with a number if it is taken. */
  like(id: string): string;
  /** `T-001` and so on. */
  next(): string;
}

/** Ignores case, because an id also names a folder and some file systems are case-insensitive. */
export function freeIds(taken: Iterable<string>): FreeIds {
  const used = new Set([...taken].map((id) => id.toLowerCase()));
  const take = (id: string) => {
    used.add(id.toLowerCase());
    return id;
  };
  let number = 0;
  return {
    like(id) {
      let free = id;
      for (let times = 2; used.has(free.toLowerCase()); times++) free = `${id}-${times}`;
      return take(free);
    },
    next() {
      do number++;
      while (used.has(numbered(number).toLowerCase()));
      return take(numbered(number));
    },
  };
}

const numbered = (number: number): string => `T-${String(number).padStart(3, "0")}`;

/** Identifies each story in its file: by its id or its title, with a number for duplicate titles. */
export function storyNames(stories: readonly { id: string | null; title: string }[]): string[] {
  const times = new Map<string, number>();
  return stories.map(({ id, title }) => {
    if (id !== null) return id;
    const count = (times.get(title) ?? 0) + 1;
    times.set(title, count);
    return count === 1 ? title : `${title} #${count}`;
  });
}
