import { messageOf } from "../../core/errors.ts";
import type { Entry } from "../../core/loop/events.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { isLevel } from "../../core/proof/level.ts";
import type { View } from "../ports-request.ts";
import type { Workspace } from "../workspace.ts";
import { writeReceipt } from "./files.ts";
import { makeReceipt } from "./make.ts";

/** Keeps the receipt of a loop once that is completed. */
export interface ReceiptKeeper {
  /** Passes the entries on, each of them durable; the receipt is there before anything reports that the loop is completed. */
  follow(entries: AsyncGenerator<Entry, LoopState>): AsyncGenerator<Entry, LoopState>;
  /** Where it was written; null: it was not. */
  path(): string | null;
}

interface KeeperRequest {
  workspace: Workspace;
  view: Pick<View, "note">;
}

export function receiptKeeper({ workspace, view }: KeeperRequest, loop: string, cwd: string): ReceiptKeeper {
  let path: string | null = null;
  const keep = async () => {
    try {
      const receipt = await makeReceipt(workspace, loop);
      if (receipt) path = writeReceipt(cwd, receipt);
    } catch (error) {
      // The journal is the truth, and has it all: the outcome stands, and the receipt can be made later.
      view.note?.({ type: "receipt.failed", loop, detail: messageOf(error) });
    }
  };
  return {
    async *follow(entries) {
      while (true) {
        const next = await entries.next();
        if (next.done) return next.value;
        const { event } = next.value;
        if (event.type === "loop.stopped" && isLevel(event.reason)) await keep();
        yield next.value;
      }
    },
    path: () => path,
  };
}
