import { expect, test } from "vitest";
import { nullOn, RalphError } from "./errors.ts";

class Narrower extends RalphError {}

test("errors of another bundle are recognized, and a subclass has only its own", async () => {
  class Foreign extends Error {
    override readonly name = "RalphError";
    readonly code = "task-unknown";
  }
  expect(new Foreign()).toBeInstanceOf(RalphError);
  await expect(Promise.reject(new Foreign()).catch(nullOn("task-unknown"))).resolves.toBeNull();
  expect(new Narrower("code", "words")).toBeInstanceOf(RalphError);
  expect(new RalphError("code", "words")).not.toBeInstanceOf(Narrower);
  expect(new Error("words")).not.toBeInstanceOf(RalphError);
});
