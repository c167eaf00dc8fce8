import { type BoardView, changed } from "../../core/view/board.ts";
import { openStream, type StreamNews } from "./stream.ts";

// The one event stream of a browser: browsers open at most six connections to a host, and every tab is live.
// Workers cannot read the page's storage, so each page sends its key.

/** What a page sends: its key on arrival, and that it leaves. */
export type PageMessage = { is: "join"; key: string } | { is: "leave" };

interface Shared {
  onconnect: ((event: MessageEvent) => void) | null;
}

const pages = new Set<MessagePort>();
let stream: { key: string; close(): void } | null = null;
let view: BoardView | null = null;
let problem: string | null = null;
let isLost = false;

(self as unknown as Shared).onconnect = ({ ports: [port] }) => {
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<PageMessage>) => (data.is === "join" ? join(port, data.key) : leave(port));
};

function join(port: MessagePort, key: string): void {
  pages.add(port);
  if (stream?.key !== key) connect(key);
  else if (view) {
    port.postMessage({ is: "view", view } satisfies StreamNews);
    port.postMessage({ is: "problem", problem } satisfies StreamNews);
    if (isLost) port.postMessage({ is: "lost" } satisfies StreamNews);
  }
}

function leave(port: MessagePort): void {
  pages.delete(port);
  if (pages.size === 0) disconnect();
}

function connect(key: string): void {
  disconnect();
  stream = { key, ...openStream({ url: "/api/live", key, onNews }) };
}

function disconnect(): void {
  stream?.close();
  stream = null;
  view = null;
  problem = null;
}

function onNews(news: StreamNews): void {
  if (news.is === "view") view = news.view;
  if (news.is === "change") view = view && changed(view, news.change);
  if (news.is === "refused") disconnect();
  isLost = news.is === "lost";
  // The next connection says it again.
  if (news.is === "problem" || isLost) problem = news.is === "problem" ? news.problem : null;
  for (const port of pages) port.postMessage(news);
}
