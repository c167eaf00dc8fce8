import { batch, signal } from "@preact/signals";
import { type BoardView, changed } from "../../core/view/board.ts";
import { access, sessionKey } from "./api.ts";
import { openStream, type StreamNews } from "./stream.ts";
import type { PageMessage } from "./worker.ts";

/** The view, kept up to date; null until it has arrived. */
export const view = signal<BoardView | null>(null);
export const connection = signal<"connecting" | "live" | "lost">("connecting");
/** Why the server cannot read the journal now; null: it can, as far as is known. */
export const problem = signal<string | null>(null);
/** What the last change touched: `loop/ab12`, `task/T-1`. `everything`: the view is new, as after a lost connection. */
export const touched = signal<{ subjects: readonly string[]; everything: boolean }>({
  subjects: [],
  everything: false,
});

/** Applies news of the stream to the view. */
export function onNews(news: StreamNews): void {
  batch(() => {
    switch (news.is) {
      case "view":
        touched.value = { subjects: [], everything: view.value !== null };
        view.value = news.view;
        connection.value = "live";
        return;
      case "change":
        if (!view.value) return;
        view.value = changed(view.value, news.change);
        touched.value = { subjects: news.change.subjects, everything: false };
        connection.value = "live";
        return;
      case "problem":
        problem.value = news.problem;
        return;
      case "lost":
        connection.value = "lost";
        // The next connection says it again.
        problem.value = null;
        return;
      case "refused":
        access.value = "expired";
    }
  });
}

/** The file of the built worker, beside this one; the build replaces it. */
declare const RALPH_WORKER: string;

let close: (() => void) | null = null;

/** Starts to follow the live view with the key of the session. */
export function goLive(): void {
  close?.();
  connection.value = "connecting";
  problem.value = null;
  close = "SharedWorker" in globalThis ? joinWorker() : ownStream().close;
}

export function stopLive(): void {
  close?.();
  close = null;
}

function joinWorker(): () => void {
  const url = new URL(`./${RALPH_WORKER}`, import.meta.url).href;
  const worker = new SharedWorker(workerAddress(url) as string, { type: "module", name: RALPH_WORKER });
  const { port } = worker;
  const send = (message: PageMessage) => port.postMessage(message);
  const join = () => send({ is: "join", key: sessionKey() });
  const leave = () => send({ is: "leave" });
  let own: { close(): void } | null = null;
  port.onmessage = ({ data }: MessageEvent<StreamNews>) => onNews(data);
  // A worker that cannot be loaded, as after an update of the server: this page follows by itself.
  worker.onerror = () => {
    own ??= ownStream();
  };
  // A page that the back button brings back was frozen meanwhile.
  window.addEventListener("pageshow", join);
  window.addEventListener("pagehide", leave);
  join();
  return () => {
    leave();
    own?.close();
    port.close();
    window.removeEventListener("pageshow", join);
    window.removeEventListener("pagehide", leave);
  };
}

const ownStream = () => openStream({ url: "/api/live", key: sessionKey(), onNews });

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}
let policy: ReturnType<Policies["createPolicy"]> | null = null;

/** The page accepts no other script address: its one policy knows only the worker. */
function workerAddress(url: string): unknown {
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: Policies };
  if (!trustedTypes) return url;
  policy ??= trustedTypes.createPolicy("ralph", {
    createScriptURL: (asked) => {
      if (asked === url) return asked;
      throw new TypeError("not the worker of this page");
    },
  });
  return policy.createScriptURL(url);
}
