import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "../slug.mjs";

test("joins words", () => assert.equal(slug("Hello, world"), "hello-world"));
