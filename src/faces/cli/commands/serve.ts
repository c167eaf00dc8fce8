import { resolve } from "node:path";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import { refuseAgents } from "../../../runtime/person.ts";
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
  json?: boolean;
}

/** `ralph serve`: runs until a signal stops it. */
export async function serveCommand(cli: Cli, options: ServeOptions): Promise<number> {
  const { newToken = false, json = false } = options;
  if (options.token) return printToken(cli, newToken);
  staySmall();
  const stops = stopControl();
  const log = json
    ? (line: string) => cli.printJson({ type: "log", at: new Date().toISOString(), line })
    : (line: string) => cli.report(`${paint("dim", new Date().toISOString().slice(11, 19))} ${printable(line)}`);
  const release = catchSignals(cli, stops, json ? log : cli.answer);
  try {
    const server = await openServer({ ...requestOf(cli, options), newToken, log });
    if (json) cli.printJson(startDocument(server));
    else for (const line of startLines(server)) cli.printLine(line);
    await stopped(server, stops.soft, stops.hard);
    if (json) cli.printJson({ type: "server.stopped", at: new Date().toISOString() });
    return stops.request()?.by === "SIGINT" ? EXIT.interrupted : EXIT.verified;
  } finally {
    release();
  }
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

const startDocument = ({ url, token, workflows, platforms }: RunningServer) => ({
  type: "server.listening",
  url,
  tokenFile: token.path,
  workflows: workflows.workflows.map(({ name }) => name),
  faulty: workflows.faulty.map(({ file }) => file),
  platforms,
});

function startLines({ url, token, workflows, platforms, isOpen }: RunningServer): string[] {
  const names = workflows.workflows.map(({ name }) => name);
  const faulty =
    workflows.faulty.length > 0 ? paint("yellow", ` (${workflows.faulty.length} faulty: ralph workflow validate)`) : "";
  const shown = token.isNew ? `${token.token}  (shown once; ${token.path})` : `${token.path}  (ralph serve --token)`;
  return [
    `${paint("bold", "Ralph serves")} ${url}`,
    `  token      ${shown}`,
    `  workflows  ${names.length > 0 ? printable(names.join(", ")) : "none yet: .ralph/workflows/*.yaml"}${faulty}`,
    `  platforms  ${platforms.join(", ")}`,
    `  interface  ${url}/openapi.json`,
    ...(isOpen ? [paint("yellow", OPEN)] : []),
  ];
}

const OPEN = "! other machines can reach this address without encryption: put it behind a proxy with TLS";
