import { Socket } from "node:net";

/** Ends this process where its input ends, as if it had been killed: nobody is left to answer. */
export function endWithStdin(): void {
  process.stdin.once("close", () => process.exit(1));
  process.stdin.resume();
  // By itself it keeps nothing alive: whoever has answered is done.
  if (process.stdin instanceof Socket) process.stdin.unref();
}
