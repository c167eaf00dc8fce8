import { fileURLToPath } from "node:url";
import type { OpenPlatform } from "../../adapters/platforms/platform.ts";
import { openPlatforms } from "../../adapters/platforms/platforms.ts";
import { mergeSettings } from "../../adapters/settings/settings.ts";
import { readSettings } from "../../adapters/settings/settings-files.ts";
import { openWorkspace } from "../../adapters/store/workspace.ts";
import type { RunStarted } from "../../core/workflow/events.ts";
import type { Workspace } from "../../core/workspace.ts";
import { openChat } from "../../doors/chat/open.ts";
import { type LoadedWorkflows, loadWorkflows } from "../../doors/workflow/file/files.ts";
import { refuseAgents } from "../../runtime/person.ts";
import { openBoard } from "../../runtime/view/board.ts";
import { appOf } from "./app.ts";
import { openEventHub } from "./event-hub.ts";
import { isLoopback } from "./gate.ts";
import { type Answer, type Listening, listen } from "./listen.ts";
import { openLiveView } from "./live-view.ts";
import { loginLinks } from "./login-link.ts";
import { pageIn } from "./page.ts";
import { errorResponse, Refusal } from "./refusal.ts";
import type { LoginLink, ServerContext } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { type ServerPlace, takeServerPlace } from "./server-address.ts";
import { openSessions } from "./sessions.ts";
import { openStarter } from "./started.ts";
import { statsCache } from "./stats-cache.ts";
import { type ServerToken, serverToken, tokenGuard } from "./token.ts";

interface ServeRequest {
  cwd: string;
  host: string;
  /** By default, the first free one from 3000 on. */
  port: number | undefined;
  /** Host names to accept besides those of the loopback. */
  allowHosts: readonly string[];
  maxParallel: number;
  agent: RunStarted["agent"];
  settingsPath: string | undefined;
  newToken: boolean;
  /** One line for the operator of the server. */
  log(line: string): void;
}

export interface RunningServer {
  url: string;
  token: ServerToken;
  workflows: LoadedWorkflows;
  platforms: readonly string[];
  isOpen: boolean;
  /** A new link that signs one browser in. */
  loginLink(viewer: boolean): LoginLink;
  /** Accepts no more requests, ends streams, and interrupts runs, which can be resumed. A second call stops at once. */
  close(): Promise<void>;
}

/** Where the build puts the dashboard, beside this bundle. */
const PAGE_FOLDER = fileURLToPath(new URL("./web", import.meta.url));
/** How long open responses may take once the server stops. */
const ANSWERS_MS = 3_000;

/** Serves a repository until it is closed. Leaves nothing behind if it cannot start. */
export async function openServer(request: ServeRequest): Promise<RunningServer> {
  const workspace = await openWorkspace(request.cwd, { create: true });
  try {
    refuseAgents(workspace, "ralph serve");
    const place = await takeServerPlace(workspace);
    try {
      return await begin(request, workspace, place);
    } catch (error) {
      place.release();
      throw error;
    }
  } catch (error) {
    workspace.close();
    throw error;
  }
}

async function begin(request: ServeRequest, workspace: Workspace, place: ServerPlace): Promise<RunningServer> {
  const { cwd, host, port, settingsPath, log } = request;
  const { layers } = await readSettings(cwd, settingsPath);
  const platforms = openPlatforms({ settings: mergeSettings(...layers).platforms });
  const workflows = await loadWorkflows(workspace.cwd);
  const door: Door = { answer: () => errorResponse(starting(), log) };
  // The port comes first, so that no run is resumed if it is taken.
  const listening = await listen((asked, connection) => door.answer(asked, connection), host, port);
  try {
    // Created only once the server can show it.
    const token = serverToken(workspace, { renew: request.newToken });
    return await open(request, { workspace, place, platforms, workflows, token, door, listening });
  } catch (error) {
    // An open port would keep the process alive.
    await listening.close(0);
    throw error;
  }
}

/** Answers requests: with a notice while the server starts, then with the server. */
interface Door {
  answer: Answer;
}

interface Begun {
  workspace: Workspace;
  place: ServerPlace;
  platforms: ReadonlyMap<string, OpenPlatform>;
  workflows: LoadedWorkflows;
  token: ServerToken;
  door: Door;
  listening: Listening;
}

async function open(request: ServeRequest, begun: Begun): Promise<RunningServer> {
  const { cwd, host, allowHosts, maxParallel, agent, settingsPath, log } = request;
  const { workspace, place, platforms, workflows, token, door, listening } = begun;
  const settings = settingsPath === undefined ? {} : { settingsPath };
  const isOpen = !isLoopback(host);
  // A connection is notified only of writes by others: through this one, requests reach the runs that chat drives.
  const own = await openWorkspace(cwd, { create: true });
  const starter = openStarter(own, { agent, settingsPath });
  const chat = await openChat({ workspace, platforms, maxParallel, agent, ...settings, log }).catch(
    (error: unknown) => {
      starter.close();
      own.close();
      throw error;
    },
  );
  const closing = new AbortController();
  const names = [...platforms.keys()];
  const guard = tokenGuard(token);
  const sessions = openSessions({ era: guard.era });
  const loginLink = loginLinks(sessions, listening.url);
  // Cookies are sent to every port of a host: the name says which server each is for.
  const cookie = `ralph-${listening.port}`;
  const live = openLiveView(() => openBoard(own));
  const context: ServerContext = {
    ...{ live, starter, stats: statsCache(own) },
    ...{ workspace: own, chat, events: openEventHub(own.feed), platforms: names, maxParallel },
    ...{ sessions, cookie, loginLink, log, startedAtMs: Date.now(), closing: closing.signal },
  };
  const hosts = [...(isOpen ? [host] : []), ...allowHosts];
  const gate = { isToken: guard.isToken, sessions, cookie, hosts, isOpen };
  const page = pageIn(
    PAGE_FOLDER,
    ROUTES.map(({ operation }) => operation.path),
  );
  const app = appOf({ routes: ROUTES, gate, context, page });
  door.answer = (asked, connection) => app.fetch(asked, connection);
  place.tell(listening.url);
  const close = async () => {
    closing.abort();
    sessions.close();
    await Promise.all([listening.close(ANSWERS_MS), chat.close()]);
    place.release();
    for (const open of [live, starter, own, workspace]) open.close();
  };
  let closed: Promise<void> | null = null;
  return {
    ...{ url: listening.url, token, workflows, platforms: names, isOpen, loginLink },
    close() {
      if (closed) chat.hurry();
      closed ??= close();
      return closed;
    },
  };
}

const starting = (): Refusal =>
  new Refusal(503, "starting", "the server is starting", "try again in a moment", { "retry-after": "1" });
