// Starts a loop for a program that waits synchronously: the request is on stdin, the result on stdout.
import { readFileSync } from "node:fs";
import { messageOf } from "../../../core/errors.ts";
import { type LibraryStart, startInJournal } from "./start-in-journal.ts";

try {
  // Written by the library itself.
  const start = JSON.parse(readFileSync(0, "utf8")) as LibraryStart;
  process.stdout.write(JSON.stringify(await startInJournal(start)));
} catch (error) {
  process.stderr.write(messageOf(error));
  process.exitCode = 1;
}
