import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Peer } from "../../adapters/io/peer.ts";
import { EXIT, RalphError } from "../../core/errors.ts";

const DEFAULT_PORT = 3000;
const TRIES = 50;

const HEADERS_MS = 10_000;
/** For the whole request with its body; responses have no limit. */
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 5_000;
/** A client that neither sends nor reads for this long is disconnected; streams send something more often. */
const SILENT_MS = 120_000;
/** Further connections are closed: without file descriptors, this process could not start agents. */
const MOST_CONNECTIONS = 512;
/** How often these timeouts are checked. */
const LOOK_MS = 1_000;

/** The connection of a request. */
export interface Connection {
  /** Null: it is closed already. */
  peer: Peer | null;
  /** Ends it at once. */
  cut(): void;
}

export type Answer = (request: Request, connection: Connection) => Response | Promise<Response>;

export interface Listening {
  url: string;
  port: number;
  /** Accepts no more requests; resolves when all responses are complete, or are cut off after the time. */
  close(withinMs: number): Promise<void>;
}

/** Listens on the requested port, or on the first free one from the default on. */
export async function listen(answer: Answer, host: string, wanted: number | undefined): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: LOOK_MS,
    },
    oneAtATime(
      getRequestListener((request, { incoming: { socket } }) => answer(request, connectionOf(socket)), {
        overrideGlobalObjects: false,
      }),
    ),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.timeout = SILENT_MS;
  const first = wanted ?? DEFAULT_PORT;
  const last = wanted === undefined ? first + TRIES : first;
  for (let port = first; ; port++) {
    const error = await tryPort(server, host, port);
    if (!error) return listening(server, host);
    if (error.code !== "EADDRINUSE" || port >= last) throw unusable(error, host, port, wanted !== undefined);
  }
}

/** Cuts off a client that sends more requests before it has read a response: these would pile up in memory. */
function oneAtATime(listener: RequestListener): RequestListener {
  const busy = new WeakSet<Socket>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (busy.has(socket)) return void socket.destroy();
    busy.add(socket);
    outgoing.once("close", () => busy.delete(socket));
    return listener(incoming, outgoing);
  };
}

const connectionOf = (socket: Partial<Socket>): Connection => ({
  peer: peerOf(socket),
  cut: () => void socket.destroy?.(),
});

function peerOf({ remoteAddress, remotePort, localAddress, localPort }: Partial<Socket>): Peer | null {
  if (remoteAddress === undefined || localAddress === undefined || !remotePort || !localPort) return null;
  return { from: { address: remoteAddress, port: remotePort }, to: { address: localAddress, port: localPort } };
}

const tryPort = (server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | null> =>
  new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve(error);
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve(null);
    });
  });

const HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses this port: choose another one, or omit --port for the next free one",
  EACCES: "ports below 1024 need privileges: choose another one, such as 3000",
  EADDRNOTAVAIL: "this machine does not have this address: use one of its own, such as --host 127.0.0.1",
  ENOTFOUND: "this name is unknown: use an address of this machine, such as --host 127.0.0.1",
};

function unusable({ code = "", message }: NodeJS.ErrnoException, host: string, port: number, asked: boolean) {
  const what =
    code === "EADDRINUSE" && !asked
      ? `no port from ${DEFAULT_PORT} to ${port} is free`
      : `cannot listen on ${host} port ${port}: ${message}`;
  return new RalphError("port-unusable", what, {
    hint: HINTS[code] ?? "check --host and --port",
    exitCode: EXIT.usage,
  });
}

function listening(server: Server, host: string): Listening {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  // A wildcard address cannot be used in a URL.
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${port}`,
    port,
    close: (withinMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), withinMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}
