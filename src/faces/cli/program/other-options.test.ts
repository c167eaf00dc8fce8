import { expect, test } from "vitest";
import { otherOption } from "./other-options.ts";

test.each([
  ["run", "unknown option '--permission-mode'", 'after --: ralph run "…" -- --permission-mode'],
  ["run", "unknown option '--iterations'\n(Did you mean --max-iterations?)", "-m 5"],
  ["run", "unknown option '--prd'", "ralph task import"],
  ["execute", "unknown option '--timeout'", "--max-duration"],
  ["status", "unknown option '--watch'", "ralph logs -f"],
])("`ralph %s`: %s", (command, message, hint) => expect(otherOption(command, message)).toContain(hint));

test.each([
  ["run", "unknown option '--promt'\n(Did you mean --prompt?)"],
  ["list", "unknown option '--yolo'"],
  ["run", "too many arguments"],
])("`ralph %s`: %s is left to commander", (command, message) => expect(otherOption(command, message)).toBeNull());
