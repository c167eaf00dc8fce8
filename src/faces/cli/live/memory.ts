import { setFlagsFromString } from "node:v8";
import { isEmbedded } from "../../../adapters/io/environment.ts";

/**
 * Keeps this process small. Starting a process means copying the page tables of the one that starts it, and a loop
 * starts many: left to itself the heap takes 50 MB for 7 MB of live objects, and every start costs more.
 */
export function staySmall(): void {
  // The heap of a program that runs commands itself is not ours to set.
  if (isEmbedded()) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=5");
}
