import { signal } from "@preact/signals";

/** The pages, by the name of their file in `pages/`. */
export const PAGES = {
  overview: "Overview",
  board: "Board",
  task: "Task",
  loops: "Loops",
  loop: "Loop",
  workflows: "Workflows",
  run: "Run",
  stats: "Statistics",
  new: "New task",
  login: "Sign in",
  missing: "Not found",
} as const;
export type PageName = keyof typeof PAGES;

export interface Route {
  page: PageName;
  /** The id in the path; empty on pages without one. */
  id: string;
}

const FIXED: ReadonlyMap<string, PageName> = new Map(
  Object.entries({
    "/": "overview",
    "/board": "board",
    "/loops": "loops",
    "/workflows": "workflows",
    "/stats": "stats",
    "/new": "new",
    "/login": "login",
  } as const),
);
const WITH_ID: ReadonlyMap<string, PageName> = new Map(
  Object.entries({ tasks: "task", loops: "loop", runs: "run", workflows: "workflows" } as const),
);

/** The page of a path. */
export function routeOf(path: string): Route {
  const plain = path.length > 1 ? path.replace(/\/+$/, "") : path;
  const fixed = FIXED.get(plain);
  if (fixed) return { page: fixed, id: "" };
  const [, kind = "", id = ""] = /^\/(\w+)\/([^/]+)$/.exec(plain) ?? [];
  const page = WITH_ID.get(kind);
  const decoded = decodedId(id);
  return page && decoded ? { page, id: decoded } : { page: "missing", id: "" };
}

function decodedId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return "";
  }
}

/** The path of one thing: `hrefOf("tasks", "T-1")`. Ids are data, so they are encoded. */
export const hrefOf = (kind: "tasks" | "loops" | "runs" | "workflows", id: string): string =>
  `/${kind}/${encodeURIComponent(id)}`;

export interface Place {
  path: string;
  search: string;
  /** How it was reached: new pages get the focus, filters do not. */
  by: "start" | "link" | "history" | "filter";
}

const hasWindow = typeof window !== "undefined";

/** Where the page is. */
export const place = signal<Place>({
  path: hasWindow ? window.location.pathname : "/",
  search: hasWindow ? window.location.search : "",
  by: "start",
});

function arrive(by: Place["by"]): void {
  place.value = { path: window.location.pathname, search: window.location.search, by };
}

/** Goes to another page of the dashboard. */
export function go(href: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", href);
  arrive("link");
}

/** One value of the query string; empty if it is absent. */
export const queryValue = (key: string): string => new URLSearchParams(place.value.search).get(key) ?? "";

/** Keeps a filter in the address without a new entry in the history. */
export function setQuery(values: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(place.value.search);
  for (const [key, value] of Object.entries(values)) value === "" ? query.delete(key) : query.set(key, value);
  const search = query.toString();
  history.replaceState(null, "", `${place.value.path}${search ? `?${search}` : ""}`);
  arrive("filter");
}

/** Makes every plain `<a href>` to this dashboard change the page without loading it again. */
export function followLinks(): void {
  window.addEventListener("popstate", () => arrive("history"));
  document.addEventListener("click", (event) => {
    const href = event.defaultPrevented ? null : linkOf(event);
    if (href === null) return;
    event.preventDefault();
    go(href);
  });
}

/** The path that a click leads to; null: the browser handles it, as in a new tab. */
function linkOf(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  if (origin !== window.location.origin || hash || /^\/(api|assets|openapi)/.test(pathname)) return null;
  return `${pathname}${search}`;
}
