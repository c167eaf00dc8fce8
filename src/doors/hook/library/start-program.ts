// Starts a loop for a program that has to know at once whether it was: the request on stdin, what came of it on stdout.
import { readFileSync } from "node:fs";
import { messageOf } from "../../../core/errors.ts";
import { type LibraryStart, startLibraryLoop } from "./library-start.ts";

try {
  // Written by the library itself, a moment ago.
  const start = JSON.parse(readFileSync(0, "utf8")) as LibraryStart;
  process.stdout.write(JSON.stringify(await startLibraryLoop(start)));
} catch (error) {
  process.stderr.write(messageOf(error));
  process.exitCode = 1;
}
