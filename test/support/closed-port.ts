import { once } from "node:events";
import { connect, createServer } from "node:net";
import { onTestFinished } from "vitest";
import type { Finished } from "./sandbox.ts";

/** A port without a listener: a connection of ours reserves it until the test is over. */
export async function closedPort(finished: Finished = onTestFinished): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  const client = connect(address.port, "127.0.0.1");
  await once(client, "connect");
  finished(() => {
    client.destroy();
    server.close();
  });
  return `http://127.0.0.1:${client.localPort}`;
}
