import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROUTES } from "./routes.ts";

test("the guide lists every operation with its description, and no other", () => {
  const rows = readFileSync("docs/server.md", "utf8").matchAll(/^\| `((?:GET|POST) \/\S*)` \| (.*) \|$/gm);
  const told = Object.fromEntries([...rows].map(([, name, words]) => [name, words]));
  const there = ROUTES.map(({ operation: { method, path, summary } }) => [`${method} ${path}`, summary]);
  expect(told).toEqual(Object.fromEntries(there));
});
