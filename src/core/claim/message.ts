import type { ClaimReading } from "./claim.ts";
import type { ClaimPolicy } from "./policy.ts";
import { type ClaimContext, watchClaims } from "./watch.ts";

/** Judges one complete text as a single message. */
export function readClaim(text: string, policy: ClaimPolicy, context: ClaimContext = {}): ClaimReading {
  const watch = watchClaims(policy, context);
  watch.say(text);
  return watch.finish();
}
