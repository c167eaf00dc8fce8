import { resolve } from "node:path";
import { openInBrowser } from "../../../adapters/io/browser.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { linkOfRunning } from "../../server/login-link.ts";
import type { LoginLink } from "../../server/route.ts";
import { openServer, type RunningServer } from "../../server/serve.ts";
import { serverToken } from "../../server/token.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { catchSignals, staySmall } from "../live/process.ts";

interface ServeOptions {
  port?: number;
  host: string;
  allowHost?: string[];
  maxParallel?: number;
  agent?: string;
  scenario?: string;
  settings?: string;
  token?: boolean;
  newToken?: boolean;
  open?: boolean;
  viewer?: boolean;
  json?: boolean;
}

/** `ralph serve`: runs until a signal stops it. */
export async function serveCommand(cli: Cli, options: ServeOptions): Promise<number> {
  if (options.token) return printToken(cli, options.newToken ?? false);
  try {
    return await serve(cli, options);
  } catch (error) {
    const isRunning = error instanceof RalphError && error.code === "server-running";
    if (!isRunning || options.newToken) throw error;
    return showRunning(cli, options, error);
  }
}

async function serve(cli: Cli, options: ServeOptions): Promise<number> {
  const { newToken = false, json = false, open = false, viewer = false } = options;
  staySmall();
  const stops = stopControl();
  const log = json
    ? (line: string) => cli.printJson({ type: "log", at: new Date().toISOString(), line })
    : (line: string) => cli.report(`${paint("dim", new Date().toISOString().slice(11, 19))} ${printable(line)}`);
  const release = catchSignals(cli, stops, json ? log : cli.answer);
  try {
    const server = await openServer({ ...requestOf(cli, options), newToken, log });
    const link = server.loginLink(viewer);
    if (json) cli.printJson(startDocument(server, open || viewer ? link : null));
    else for (const line of startLines(server, link)) cli.printLine(line);
    if (open) await openLink(cli, link);
    await stopped(server, stops.soft, stops.hard);
    if (json) cli.printJson({ type: "server.stopped", at: new Date().toISOString() });
    return stops.request()?.by === "SIGINT" ? EXIT.interrupted : EXIT.verified;
  } finally {
    release();
  }
}

/** A server runs already: its link is what was asked for, or the way out. */
async function showRunning(cli: Cli, options: ServeOptions, error: RalphError): Promise<number> {
  const { host, open, viewer = false, json } = options;
  const link = await linkOfRunning({ cwd: cli.cwd(), host, viewer });
  if (link === null) throw error;
  if (!open && !viewer) throw error.with({ hint: `open ${link.url}, or stop it first (Ctrl-C where it runs)` });
  if (json) cli.printJson({ type: "server.link", ...link });
  else cli.printLine(linkLine(link));
  if (open) await openLink(cli, link);
  return EXIT.verified;
}

/** Without a browser, the printed link is enough. */
async function openLink(cli: Cli, { url }: LoginLink): Promise<void> {
  if (!(await openInBrowser(url))) cli.report(paint("yellow", "! cannot start a browser; open the link above"));
}

async function printToken(cli: Cli, renew: boolean): Promise<number> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    refuseAgents(workspace, "ralph serve --token");
    cli.printLine(serverToken(workspace, { renew }).token);
    return EXIT.verified;
  });
}

function requestOf(cli: Cli, { port, host, allowHost = [], maxParallel = 1, agent, scenario, settings }: ServeOptions) {
  if (port !== undefined && port > 65_535) {
    throw new RalphError("usage", `--port: expected a port up to 65535, got ${port}`, { hint: "such as --port 3000" });
  }
  if (scenario !== undefined && agent === undefined) {
    throw new RalphError("usage", "--scenario is for the scripted agent", { hint: "add --agent scripted" });
  }
  const cwd = cli.cwd();
  return {
    ...{ cwd, port, host, allowHosts: allowHost.map((name) => name.toLowerCase()), maxParallel },
    agent: agent === undefined ? null : { command: agent, scenario: scenario ? resolve(cwd, scenario) : null },
    settingsPath: settings,
  };
}

/** Resolves once a signal has stopped the server; a second one stops it at once. */
async function stopped(server: RunningServer, soft: AbortSignal, hard: AbortSignal): Promise<void> {
  await aborted(soft);
  hard.addEventListener("abort", () => void server.close());
  await server.close();
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done());
  });

/** Without a request for it, the link stays out of the events, which may be kept in a log. */
const startDocument = ({ url, token, workflows, platforms }: RunningServer, link: LoginLink | null) => ({
  type: "server.listening",
  url,
  ...(link ? { open: link.url } : {}),
  tokenFile: token.path,
  workflows: workflows.workflows.map(({ name }) => name),
  faulty: workflows.faulty.map(({ file }) => file),
  platforms,
});

const linkLine = ({ url, viewer }: LoginLink): string =>
  `  open       ${url}${viewer ? "  (read-only)" : ""}  (works once, expires in 10 minutes)`;

function startLines({ url, token, workflows, platforms, isOpen }: RunningServer, link: LoginLink): string[] {
  const names = workflows.workflows.map(({ name }) => name);
  const faulty =
    workflows.faulty.length > 0 ? paint("yellow", ` (${workflows.faulty.length} faulty: ralph workflow validate)`) : "";
  const shown = token.isNew ? `${token.token}  (shown once; ${token.path})` : `${token.path}  (ralph serve --token)`;
  return [
    `${paint("bold", "Ralph serves")} ${url}`,
    linkLine(link),
    `  token      ${shown}`,
    `  workflows  ${names.length > 0 ? printable(names.join(", ")) : "none yet: .ralph/workflows/*.yaml"}${faulty}`,
    `  platforms  ${platforms.join(", ")}`,
    `  interface  ${url}/openapi.json`,
    ...(isOpen ? [paint("yellow", OPEN)] : []),
  ];
}

const OPEN = "! other machines can reach this address without encryption: put it behind a proxy with TLS";
