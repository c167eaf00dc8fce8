import { expect, test } from "vitest";
import { typedCommand } from "./hook-payload.ts";

test.each<[string, string[], ReturnType<typeof typedCommand>]>([
  ["/ralph Fix it", ["/"], { command: "ralph", arguments: "Fix it" }],
  ["/ralph", ["/"], { command: "ralph", arguments: "" }],
  ["  /ralph:ralph \"Fix it\" -x 'y'\n", ["/"], { command: "ralph", arguments: "\"Fix it\" -x 'y'" }],
  [
    "/ralph\nFix this\n\n- and that  $& {{MAX}}",
    ["/"],
    { command: "ralph", arguments: "Fix this\n\n- and that  $& {{MAX}}" },
  ],
  ["/cancel-ralph", ["/"], { command: "cancel-ralph", arguments: "" }],
  ["/ralph:cancel-ralph", ["/"], { command: "cancel-ralph", arguments: "" }],
  ["/ralph-status --all", ["/"], { command: "ralph-status", arguments: "--all" }],
  ["$ralph Fix it", ["/", "$"], { command: "ralph", arguments: "Fix it" }],
  ["$ralph Fix it", ["/"], null],
  ["/ralphy Fix it", ["/"], null],
  ["/ralph-loop Fix it", ["/"], null],
  ["/other:ralph Fix it", ["/"], null],
  ["Please run /ralph Fix it", ["/"], null],
  ["ralph Fix it", ["/"], null],
  ["", ["/"], null],
])("%j", (prompt, marks, typed) => {
  expect(typedCommand(prompt, marks)).toEqual(typed);
});
