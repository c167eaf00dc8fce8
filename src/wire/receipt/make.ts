import { createHash } from "node:crypto";
import { relative } from "node:path";
import { buildReceipt } from "../../core/receipt/build.ts";
import { digestedText } from "../../core/receipt/canonical.ts";
import { gather } from "../../core/receipt/gather.ts";
import type { Receipt } from "../../core/schema/receipt.ts";
import { VERSION } from "../../core/version.ts";
import { cleanState } from "../../git/tree-state.ts";
import { checkoutRoot } from "../../io/checkout.ts";
import type { Workspace } from "../workspace.ts";

/** The digest that a receipt should carry. */
export const digestOf = (receipt: object): string =>
  `sha256:${createHash("sha256").update(digestedText(receipt)).digest("hex")}`;

/** The receipt of a loop, read from its journal; null for one that was not completed. */
export async function makeReceipt({ store }: Workspace, loop: string): Promise<Receipt | null> {
  const gathered = await gather(store.entries(loop));
  const draft = buildReceipt(gathered, {
    loop,
    tool: { name: "ralph-engine", version: VERSION },
    folder: folderIn(gathered.state.spec?.cwd ?? ""),
    cleanState,
  });
  return draft && { ...draft, digest: digestOf(draft) };
}

const folderIn = (cwd: string): string => relative(checkoutRoot(cwd) ?? cwd, cwd) || ".";
