import { createHash } from "node:crypto";
import { relative } from "node:path";
import { cleanState } from "../../adapters/git/tree-state.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { messageOf } from "../../core/errors.ts";
import type { Entry } from "../../core/loop/events.ts";
import { buildReceipt } from "../../core/receipt/build.ts";
import { digestedText } from "../../core/receipt/canonical.ts";
import { gather } from "../../core/receipt/gather.ts";
import type { Receipt } from "../../core/schema/receipt.ts";
import { VERSION } from "../../core/version.ts";
import type { Workspace } from "../../core/workspace.ts";
import type { VerifiedLoop } from "../verification-context.ts";

export const receiptDigest = (receipt: object): string =>
  `sha256:${createHash("sha256").update(digestedText(receipt)).digest("hex")}`;

type ReceiptRequest = Pick<VerifiedLoop, "workspace" | "loop" | "view">;

/** The receipt of the proof in the last of these entries. Earlier entries are in the journal. */
export async function provenReceipt(
  { workspace, loop, view }: ReceiptRequest,
  pending: readonly Entry[],
): Promise<Receipt | null> {
  try {
    const gathered = await gather(withPending(workspace, loop, pending));
    const draft = buildReceipt(gathered, {
      loop,
      tool: { name: "ralph-engine", version: VERSION },
      folder: folderIn(gathered.state.spec?.cwd ?? ""),
      cleanState,
    });
    return draft && { ...draft, digest: receiptDigest(draft) };
  } catch (error) {
    // The proof is valid without it.
    view.note?.({ type: "receipt.failed", loop, detail: messageOf(error) });
    return null;
  }
}

async function* withPending({ store }: Workspace, loop: string, pending: readonly Entry[]): AsyncGenerator<Entry> {
  const next = pending[0]?.seq ?? Number.POSITIVE_INFINITY;
  for await (const entry of store.entries(loop)) {
    if (entry.seq >= next) break;
    yield entry;
  }
  yield* pending;
}

const folderIn = (cwd: string): string => relative(checkoutRoot(cwd) ?? cwd, cwd) || ".";
