import type { Workspace } from "../../adapters/store/workspace.ts";
import { messageOf } from "../../core/errors.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { isLevel } from "../../core/proof/level.ts";
import type { Receipt } from "../../core/schema/receipt.ts";
import type { CheckView } from "../verification-context.ts";
import { writeReceipt } from "./files.ts";
import { keptReceipt } from "./kept.ts";

export interface ReceiptKeeper {
  /** Passes the entries on, each of them durable; the receipt is there before anything reports that the loop is completed. */
  follow(changes: AsyncGenerator<LoopChange, LoopState>): AsyncGenerator<LoopChange, LoopState>;
  /** Where it was written; null: it was not. */
  path(): string | null;
}

interface KeeperRequest {
  workspace: Workspace;
  view: Pick<CheckView, "note">;
}

export function receiptKeeper({ workspace, view }: KeeperRequest, loop: string, cwd: string): ReceiptKeeper {
  let path: string | null = null;
  let made: Receipt | null = null;
  const keep = async () => {
    try {
      // A driver before this one may have written the verdict.
      const receipt = made ?? (await keptReceipt(workspace, loop))?.receipt;
      if (receipt) path = writeReceipt(cwd, receipt);
    } catch (error) {
      // The journal is the truth, and has it: the outcome stands, and the file can be written later.
      view.note?.({ type: "receipt.failed", loop, detail: messageOf(error) });
    }
  };
  return {
    async *follow(changes) {
      while (true) {
        const next = await changes.next();
        if (next.done) return next.value;
        const { event } = next.value.entry;
        if (event.type === "turn.began") made = null;
        if (event.type === "receipt.made") made = event.receipt;
        if (event.type === "loop.stopped" && isLevel(event.reason)) await keep();
        yield next.value;
      }
    },
    path: () => path,
  };
}
