import { existsSync } from "node:fs";
import type { Workspace } from "../../core/workspace.ts";
import { loopNamed } from "../../engine/named.ts";
import type { Page } from "./page.ts";

/** Texts that commands print, as their lines. */
export interface Texts {
  why(id: string): Promise<readonly string[]>;
  diff(id: string): Promise<readonly string[]>;
  /** Only the names of the changed files, and how much of them. */
  stat(id: string): Promise<readonly string[]>;
}

export interface Reading {
  workspace: Workspace;
  texts: Texts;
}

/** How much of the output is on a task's page. */
const TAIL_LINES = 8;
/** Iterations on a loop's page. */
const ITEMS = 200;

/** The page with what it shows, read again. */
export async function readPage(reading: Reading, page: Page): Promise<Page> {
  switch (page.is) {
    case "help":
      return page;
    case "task":
      return { ...page, page: await taskPage(reading, page.id) };
    case "loop": {
      const { loopPageOf } = await import("../../runtime/view/loop-page.ts");
      return { ...page, page: await loopPageOf(reading.workspace, page.id, { limit: ITEMS }) };
    }
    case "text":
      return { ...page, lines: await textOf(reading, page) };
  }
}

async function taskPage({ workspace, texts }: Reading, id: string) {
  const { taskPageOf } = await import("../../doors/pipeline/tasks/task-page.ts");
  const page = await taskPageOf(workspace, id);
  const [tail, stat] = await Promise.all([
    page.card.loop && page.card.driven ? outputOf(workspace, page.card.loop) : [],
    // Without its branch there is nothing to compare.
    page.branch && !page.merged ? texts.stat(id).catch(() => []) : [],
  ]);
  return { ...page, tail: tail.slice(-TAIL_LINES), stat };
}

async function outputOf(workspace: Workspace, loop: string): Promise<readonly string[]> {
  return (await import("./output-tail.ts")).lastLines(workspace, loop);
}

async function textOf({ workspace, texts }: Reading, { kind, id }: Page & { is: "text" }): Promise<readonly string[]> {
  const lines = await (kind === "output"
    ? outputOf(workspace, (await loopNamed(workspace, id)).id)
    : kind === "worktree"
      ? placeLines(workspace, id)
      : texts[kind](id));
  return lines.length > 0 ? lines : [kind === "output" ? "The agent has printed nothing yet." : "Nothing yet."];
}

async function placeLines(workspace: Workspace, id: string): Promise<string[]> {
  const { taskNamed } = await import("../../engine/named.ts");
  const task = await taskNamed(workspace, id);
  const work = task ? (await workspace.tasks.load(id)).state.work : null;
  if (task && !work) return [`No work on ${id} has begun, so it has no worktree.`];
  const folder = work ? work.worktree : (await workspace.store.find(id)).cwd;
  if (!existsSync(folder))
    return [`The worktree of ${id} has been removed. \`d\` shows its changes.`, `It was in ${folder}.`];
  return [
    folder,
    "",
    ...(work ? [`branch ${work.branch}, for ${work.target}`, ""] : []),
    "An agent may be working there. To look at it in another terminal:",
    "",
    `  cd ${quoted(folder)}`,
    "  git status",
    "",
    "The board opens no shell there: files that an agent wrote could run in it. The path is printed again after `q`.",
  ];
}

const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** Whether new entries of these subjects show on the page. */
export function isAbout(page: Page, subjects: readonly string[]): boolean {
  if (page.is === "help" || (page.is === "text" && page.kind === "worktree")) return false;
  if (page.is === "loop") return subjects.includes(`loop/${page.id}`);
  const loop = page.is === "task" ? page.page?.card.loop : null;
  return subjects.includes(`task/${page.id}`) || subjects.includes(`loop/${loop ?? page.id}`);
}

/** Whether the page shows what an agent prints, which no journal says. */
export const isLive = (page: Page): boolean =>
  (page.is === "text" && page.kind === "output") || (page.is === "task" && page.page?.card.driven === true);
