import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { fileBlobs } from "../../adapters/io/file-blobs.ts";
import type { Workspace } from "../../core/workspace.ts";
import { attemptPage, outputLines } from "./loop-output.ts";
import { streamed } from "./response-stream.ts";

/** A loop with one attempt, whose log has the text. */
function looped(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-output-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const files = fileBlobs(folder);
  const log = files.write("output-1.log");
  log.write(Buffer.from(text));
  const file = log.id();
  log.close();
  const reading = { open: 0, chunks: 0 };
  const blobs: typeof files = {
    ...files,
    async *read(...asked) {
      reading.open++;
      try {
        for await (const chunk of files.read(...asked)) {
          reading.chunks++;
          yield chunk;
        }
      } finally {
        reading.open--;
      }
    },
  };
  const began = { type: "turn.began", n: 1, attempt: 1, agent: 0, log: { path: log.path, from: 0, file } };
  const spec = { agents: [{ command: "cat", flags: [], promptBy: "stdin" }] };
  const store = {
    glance: async () => ({ state: { spec } }),
    async *entries(_loop: string, after = 0) {
      if (after < 1) yield { seq: 1, event: began };
    },
  };
  const workspace = { store, blobs } as unknown as Workspace;
  const page = () => attemptPage(workspace, "l", { iteration: 1, attempt: 1 }, { after: 0, limit: 1_000 });
  const stream = async () => {
    let all = "";
    for await (const line of outputLines(workspace, "l", {}, new AbortController().signal)) all += line;
    return all;
  };
  return { folder, path: log.path, workspace, reading, page, stream };
}

test("a client that has left is not read for, and its slot is free only then", async () => {
  const { path, workspace, reading } = looped("x");
  // Read as text, it is empty, so that no line is ever due.
  truncateSync(path, 2 ** 42);
  let done = 0;
  const response = streamed(
    {
      media: "text/plain",
      closing: new AbortController().signal,
      ...{ log: () => undefined, cut: () => undefined },
      done: () => {
        expect(reading.open).toBe(0);
        done++;
      },
    },
    (quit) => outputLines(workspace, "l", {}, quit),
  );
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const pending = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read());
  })();
  await vi.waitFor(() => expect(reading.chunks).toBeGreaterThan(3), { timeout: 20_000 });
  expect(done).toBe(0);
  await reader.cancel();
  await pending;
  await vi.waitFor(() => expect(done).toBe(1), { timeout: 20_000 });
  expect(reading.open).toBe(0);
});

test.each<[string, (path: string, secret: string) => void]>([
  ["a link", (path, secret) => symlinkSync(secret, path)],
  ["a hard link", (path, secret) => linkSync(secret, path)],
  ["a folder", (path) => mkdirSync(path)],
  ["nothing", () => undefined],
])("a log with %s in its place is refused", async (_name, put) => {
  const { folder, path, page, stream } = looped("said\n");
  expect(await stream()).toContain("said");
  const secret = join(folder, "secret");
  writeFileSync(secret, "hidden\n");
  rmSync(path);
  put(path, secret);
  await expect(page()).rejects.toMatchObject({ code: "log-missing" });
  expect(await stream()).toMatch(/the log of this attempt (is gone|cannot be read)/);
});

test("a copy of a log is shown", async () => {
  const { path, page } = looped("said\n");
  writeFileSync(`${path}.copy`, "said\n");
  rmSync(path);
  writeFileSync(path, "said\n");
  expect((await page()).text).toBe("said\n");
});
