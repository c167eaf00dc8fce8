import { Socket } from "node:net";

/** Exits when standard input closes, because the process that waits for an answer is gone. */
export function endWithStdin(): void {
  process.stdin.once("close", () => process.exit(1));
  process.stdin.resume();
  // The open input must not keep the process alive after it has answered.
  if (process.stdin instanceof Socket) process.stdin.unref();
}
