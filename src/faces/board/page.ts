import type { LoopPage, TimelineItem } from "../../core/view/loop-page.ts";
import type { TaskPage } from "../../core/view/task-page.ts";

interface Scrolled {
  /** The first line that is shown; in a loop, counted from where its open iteration begins. */
  top: number;
}

/** A text that other functions of Ralph make: an agent's output, a diff, the reasons of a loop, where its work is. */
export type TextKind = "output" | "diff" | "why" | "worktree";

/** What the board reads for a task's page besides its facts. */
export interface TaskExtras {
  /** The end of what the agent printed. */
  tail: readonly string[];
  /** Which files its branch changes. */
  stat: readonly string[];
}

/** What is on top of the board. Null: it has not been read yet. */
export type Page =
  | ({ is: "task"; id: string; page: (TaskPage & TaskExtras) | null } & Scrolled)
  | ({
      is: "loop";
      id: string;
      page: LoopPage | null;
      /** The open attempt at an iteration, whose place changes with what is read; null: the last one. */
      item: Pick<TimelineItem, "n" | "attempt"> | null;
    } & Scrolled)
  | ({
      is: "text";
      kind: TextKind;
      of: "task" | "loop";
      id: string;
      lines: readonly string[] | null;
      /** Stays at the end. */
      follows: boolean;
    } & Scrolled)
  | ({ is: "help" } & Scrolled);

/** Pages with the same key show the same thing. */
export const pageKey = (page: Page): string =>
  page.is === "help" ? page.is : [page.is, page.is === "text" ? page.kind : "", page.id].join("/");

export function isUnread(page: Page): boolean {
  if (page.is === "help") return false;
  return (page.is === "text" ? page.lines : page.page) === null;
}

/** The place of the open attempt. One that is not read any more was before the first one. */
export function openItem({ page, item }: Page & { is: "loop" }): number {
  const timeline = page?.timeline ?? [];
  if (item === null) return Math.max(0, timeline.length - 1);
  return Math.max(
    0,
    timeline.findIndex(({ n, attempt }) => n === item.n && attempt === item.attempt),
  );
}

/** A page that was read again, where the user has scrolled it to. */
export function readAgain(page: Page, found: Page): Page {
  if (pageKey(page) !== pageKey(found)) return page;
  const { top } = page;
  if (page.is === "loop" && found.is === "loop") return { ...found, top, item: page.item };
  return page.is === "text" && found.is === "text" ? { ...found, top, follows: page.follows } : { ...found, top };
}
