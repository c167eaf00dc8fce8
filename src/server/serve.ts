import type { RunStarted } from "../core/workflow/events.ts";
import { openDispatcher } from "../wire/conversation/dispatcher.ts";
import { openPlatforms } from "../wire/conversation/platforms.ts";
import { requirePerson } from "../wire/person.ts";
import { type ServerPlace, takeServerPlace } from "../wire/server/place.ts";
import { type ServerToken, serverToken, tokenGuard } from "../wire/server/token.ts";
import { type LoadedWorkflows, loadWorkflows } from "../wire/workflow/files.ts";
import { openWorkspace, type Workspace } from "../wire/workspace.ts";
import { appOf } from "./app.ts";
import { openEventHub } from "./event-hub.ts";
import { isLoopback } from "./gate.ts";
import type { House } from "./house.ts";
import { listen } from "./listen.ts";
import { ROUTES } from "./routes.ts";

export interface ServeRequest {
  cwd: string;
  host: string;
  /** Left out: the default one, or the next that is free. */
  port: number | undefined;
  /** Names besides those of the loopback under which the server may be asked. */
  allowHosts: readonly string[];
  maxParallel: number;
  agent: RunStarted["agent"];
  settingsPath: string | undefined;
  newToken: boolean;
  /** One line for whoever runs the server. */
  log(line: string): void;
}

export interface RunningServer {
  url: string;
  token: ServerToken;
  workflows: LoadedWorkflows;
  platforms: readonly string[];
  /** Whether others than this machine reach it. */
  isOpen: boolean;
  /** Takes no more requests, ends the streams, leaves runs where they can be gone on with. Asked again: at once. */
  close(): Promise<void>;
}

/** How long answers under way may take once the server stops. */
const ANSWERS_MS = 3_000;

/** Serves a repository until it is closed. Nothing is left behind where it cannot begin. */
export async function openServer(request: ServeRequest): Promise<RunningServer> {
  const workspace = await openWorkspace(request.cwd, { create: true });
  try {
    requirePerson(workspace, "ralph serve");
    const place = await takeServerPlace(workspace);
    try {
      return await begin(request, workspace, place);
    } catch (error) {
      place.release();
      throw error;
    }
  } catch (error) {
    workspace.store.close();
    throw error;
  }
}

async function begin(request: ServeRequest, workspace: Workspace, place: ServerPlace): Promise<RunningServer> {
  const { cwd, host, port, allowHosts, maxParallel, agent, settingsPath, log } = request;
  const settings = settingsPath === undefined ? {} : { settingsPath };
  const { platforms, hearSlack } = await openPlatforms({ cwd, ...settings });
  const workflows = await loadWorkflows(workspace.cwd);
  const token = serverToken(workspace, { renew: request.newToken });
  const own = await openWorkspace(cwd, { create: true });
  const closing = new AbortController();
  const isOpen = !isLoopback(host);
  // The port comes first: where it is taken, no run has been taken up.
  let ready = (_: House["dispatcher"]) => undefined as void;
  const dispatched = new Promise<House["dispatcher"]>((resolve) => {
    ready = resolve;
  });
  const names = [...platforms.keys()];
  const app = dispatched.then((dispatcher) =>
    appOf({
      routes: ROUTES,
      gate: { isToken: tokenGuard(token), hosts: [...(isOpen ? [host] : []), ...allowHosts], isOpen },
      house: {
        workspace: own,
        dispatcher,
        events: openEventHub(own.feed),
        platforms: names,
        hearSlack,
        maxParallel,
        startedAtMs: Date.now(),
        closing: closing.signal,
      },
      log,
    }),
  );
  const listening = await listen(async (asked) => (await app).fetch(asked), host, port).catch((error: unknown) => {
    own.store.close();
    throw error;
  });
  const dispatcher = await openDispatcher({ workspace, platforms, maxParallel, agent, ...settings, log });
  ready(dispatcher);
  place.tell(listening.url);
  let closed: Promise<void> | null = null;
  const close = async () => {
    closing.abort();
    await Promise.all([listening.close(ANSWERS_MS), dispatcher.close()]);
    place.release();
    for (const { store } of [own, workspace]) store.close();
  };
  return {
    ...{ url: listening.url, token, workflows, platforms: names, isOpen },
    async close() {
      if (closed) void dispatcher.close();
      closed ??= close();
      await closed;
    },
  };
}
