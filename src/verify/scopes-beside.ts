import { checkoutRoot } from "../adapters/io/checkout.ts";
import { scopesOverlap } from "../core/proof/scope-overlap.ts";
import { type Scope, scopeOf, scopePatterns } from "./scope.ts";
import type { VerificationContext } from "./verification-context.ts";

/** Loops that can have worked at the same time are among the newest. */
const LOOKED_AT = 200;

/**
 * The scopes of the user's other loops that have worked in this checkout meanwhile, as far as they share no path with
 * this one: what they allow is the work of those loops. A loop that an agent started does not count.
 */
export async function scopesBeside({ workspace, loop, spec }: VerificationContext, root: string): Promise<Scope[]> {
  const { store } = workspace;
  const checkout = checkoutRoot(spec.cwd);
  const { createdAtMs } = await store.find(loop);
  const own = scopePatterns(spec.proof.scope, { folder: spec.cwd, root });
  const found: Scope[] = [];
  for (const one of await store.summaries({ limit: LOOKED_AT })) {
    if (one.id === loop || one.updatedAtMs < createdAtMs || checkoutRoot(one.cwd) !== checkout) continue;
    const other = (await store.glance(one.id)).state.spec;
    if (!other || other.byAgent || other.part || other.run || other.proof.scope.length === 0) continue;
    const place = { folder: other.cwd, root };
    if (scopesOverlap(own, scopePatterns(other.proof.scope, place))) continue;
    found.push(scopeOf(other.proof.scope, place));
  }
  return found;
}
