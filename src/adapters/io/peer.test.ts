import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { type Peer, processAt } from "./peer.ts";

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

const peerOf = ({ remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 }: Socket): Peer => ({
  from: { address: remoteAddress, port: remotePort },
  to: { address: localAddress, port: localPort },
});

/** A connection of this process to itself, from both ends. */
async function connected(listening: string, to: string, from?: string) {
  const server = createServer().listen(0, listening);
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const client = connect({ port, host: to, ...(from ? { localAddress: from } : {}) });
  const [accepted] = (await once(server, "connection")) as [Socket];
  return { client, accepted, peer: peerOf(accepted) };
}

describe.runIf(process.platform === "linux")("the process at the other end", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["127.0.0.1", "127.0.0.1", "127.0.0.2"],
    ["::1", "::1"],
    ["::", "127.0.0.1"],
  ])("is found: listening on %s, connected to %s", async (listening, to, from?: string) => {
    const { client, accepted, peer } = await connected(listening, to, from);
    expect(processAt(peer)).toEqual({ is: "process", pid: process.pid });
    for (const socket of [client, accepted]) socket.destroy();
  });

  test("is another one than that of a connection with the same ports", async () => {
    const { client, accepted, peer } = await connected("127.0.0.1", "127.0.0.1");
    expect(processAt({ ...peer, from: { ...peer.from, address: "127.0.0.2" } })).toEqual({ is: "gone" });
    expect(processAt({ ...peer, from: { ...peer.from, address: "192.0.2.1" } })).toEqual({ is: "unknown" });
    for (const socket of [client, accepted]) socket.destroy();
  });

  test.each(["destroy", "resetAndDestroy"] as const)("is gone after %s", async (leave) => {
    const { client, accepted, peer } = await connected("127.0.0.1", "127.0.0.1");
    accepted.on("error", () => undefined);
    client[leave]();
    await once(client, "close");
    expect(processAt(peer)).toEqual({ is: "gone" });
    accepted.destroy();
  });
});
