import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Workspace } from "../../core/workspace.ts";
import { runningOrigin } from "./server-address.ts";

test.each([
  ["http://127.0.0.1:3000\n", "127.0.0.1", "http://127.0.0.1:3000"],
  ["http://[::1]:3000\n", "127.0.0.1", "http://[::1]:3000"],
  [`http://${hostname().toLowerCase()}:3000`, "127.0.0.1", `http://${hostname().toLowerCase()}:3000`],
  ["http://ralph.example:3000\n", "ralph.example", "http://ralph.example:3000"],
  ["http://ralph.example:3000\n", "127.0.0.1", null],
  ["https://127.0.0.1:3000\n", "127.0.0.1", null],
  ["http://127.0.0.1:3000/other", "127.0.0.1", null],
  ["http://127.0.0.1:3000@evil.example", "127.0.0.1", null],
  ["", "127.0.0.1", null],
])("of the file with %j and --host %s, the token goes to %j", (text, host, origin) => {
  const root = mkdtempSync(join(tmpdir(), "ralph-address-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "server.url"), text);
  expect(runningOrigin({ folder: { root } } as Workspace, host)).toBe(origin);
});
