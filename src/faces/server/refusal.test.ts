import { expect, test } from "vitest";
import { RalphError } from "../../core/errors.ts";
import { errorResponse, Refusal } from "./refusal.ts";

test.each<[string, unknown, number]>([
  ["names something unknown", new RalphError("run-unknown", "no run"), 404],
  ["comes too late", new RalphError("run-ended", "it has ended"), 409],
  ["is invalid", new RalphError("message-refused", "too long"), 422],
  ["comes while the server stops", new RalphError("closing", "it stops"), 503],
  ["finds a broken journal", new RalphError("database-io", "it cannot be read"), 500],
  ["finds a full disk, which is not the client's fault", new RalphError("disk-full", "no room"), 507],
  ["has its own status", new Refusal(418, "teapot", "no coffee", "take tea"), 418],
  ["meets a bug", new TypeError("x is not a function"), 500],
])("a request that %s", async (_name, error, status) => {
  const response = errorResponse(error, () => undefined);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } });
});
