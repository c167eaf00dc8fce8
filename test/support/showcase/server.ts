import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Showcase } from "../showcase.ts";

/** A `ralph serve` of the showcase. */
export interface ShowcaseServer {
  url: string;
  child: ChildProcess;
  /** Sends a request with the token, a POST if there is a body, and returns the answer. */
  ask<Answer = Record<string, unknown>>(path: string, body?: object): Promise<Answer>;
  /** A link that logs one browser in. */
  link(viewer?: boolean): Promise<string>;
  stop(): Promise<void>;
}

export async function serve(show: Showcase, ...args: string[]): Promise<ShowcaseServer> {
  const child = show.start("serve", "--port", "0", "--json", ...args);
  const url = await addressIn(child);
  const token = readFileSync(join(show.state, "server-token"), "utf8").trim();
  async function ask<Answer>(path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }
  return {
    ...{ url, child, ask },
    link: async (viewer = false) => (await ask<{ url: string }>("/api/login-links", { viewer })).url,
    stop: () =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done();
        child.once("close", () => done());
        child.kill("SIGTERM");
      }),
  };
}

function addressIn(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        const line = /^\{.*"server\.listening".*\}$/m.exec(text)?.[0];
        if (line) done((JSON.parse(line) as { url: string }).url);
      });
    child.once("close", () => fail(new Error(`no server: ${text}`)));
  });
}
