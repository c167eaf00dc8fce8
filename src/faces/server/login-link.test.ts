import { expect, test } from "vitest";
import { linkTo } from "./login-link.ts";

const ORIGIN = "http://127.0.0.1:3000";

test.each([
  [`${ORIGIN}/login#ab-c_1`, `${ORIGIN}/login#ab-c_1`],
  ["HTTP://127.1:3000/login#abc", `${ORIGIN}/login#abc`],
  ["http://127.0.0.1:3001/login#abc", null],
  ["http://localhost:3000/login#abc", null],
  ["https://127.0.0.1:3000/login#abc", null],
  ["http://user@127.0.0.1:3000/login#abc", null],
  ["file:///etc/passwd", null],
  [`${ORIGIN}/login?x=y#abc`, null],
  [`${ORIGIN}/other#abc`, null],
  [`${ORIGIN}/login#abc\u001b[2J`, null],
  [`${ORIGIN}/login#abc&calc`, null],
  [`${ORIGIN}/login`, null],
  ["nothing", null],
])("of the answer %j, the link is %j", (answer, link) => {
  expect(linkTo(ORIGIN, answer)).toBe(link);
});
