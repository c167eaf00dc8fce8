import assert from "node:assert/strict";
import { test } from "node:test";
import { greet } from "../greet.mjs";

test("greets by name", () => assert.equal(greet("Ada"), "Hello, Ada!"));
test("refuses an empty name", () => assert.throws(() => greet(""), /name/));
