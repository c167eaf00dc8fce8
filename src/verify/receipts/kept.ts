import { inWorkspace, type Workspace } from "../../adapters/store/workspace.ts";
import { messageOf } from "../../core/errors.ts";
import { damageWords } from "../../core/journal-words.ts";
import type { JournalCheck } from "../../core/journals.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { isLevel } from "../../core/proof/level.ts";
import { canonicalJson } from "../../core/receipt/canonical.ts";
import type { Receipt } from "../../core/schema/receipt.ts";
import type { CheckView } from "../verification-context.ts";
import { type FoundReceipt, writeReceipt } from "./files.ts";

interface KeptReceipt {
  receipt: Receipt;
  entry: number;
}

/** The receipt of a completed loop, from the journal entry written with its verdict; null if there is none. */
export async function keptReceipt({ store }: Pick<Workspace, "store">, loop: string): Promise<KeptReceipt | null> {
  let kept: KeptReceipt | null = null;
  let isProven = false;
  for await (const { event, seq } of store.entries(loop)) {
    if (event.type === "turn.began") kept = null;
    if (event.type === "receipt.made") kept = { receipt: event.receipt, entry: seq };
    if (event.type === "loop.stopped") isProven = isLevel(event.reason);
  }
  return isProven ? kept : null;
}

/** What this machine's journal says about a receipt from a file. */
export interface JournalWord {
  check: JournalCheck;
  /** The entry with the receipt, or null. */
  entry: number | null;
  /** Why the file differs from the journal; null if it does not, or the journal does not know. */
  wrong: string | null;
  /** A note for the reader, or null. */
  note: string | null;
}

/** Compares a receipt with the journal; null if this folder's journal does not know its loop. */
export async function journalWord(cwd: string, { receipt, raw }: FoundReceipt): Promise<JournalWord | null> {
  const { loop } = receipt;
  return await inWorkspace({ cwd }, async (workspace) => {
    const known = (await workspace.store.summaries()).some(({ id }) => id === loop);
    if (!known) return null;
    const check = await workspace.store.check(loop);
    const nothing = { check, entry: null, wrong: null, note: null };
    if (check.damage) return { ...nothing, wrong: damageWords("loop", loop, check.damage) };
    const kept = await keptReceipt(workspace, loop);
    if (kept) {
      const isSame = canonicalJson(raw) === canonicalJson(kept.receipt);
      const wrong = isSame ? null : `it differs from the receipt in entry ${kept.entry} of the journal of loop ${loop}`;
      return { ...nothing, entry: kept.entry, wrong };
    }
    if (check.chainedFrom === 1) return { ...nothing, wrong: `the journal of loop ${loop} has no receipt` };
    return { ...nothing, note: `loop ${loop} is older than receipts in the journal: they cannot be compared` };
  });
}

export interface ReceiptKeeper {
  /** Passes on durable entries. Writes the receipt before the completion of the loop is reported. */
  follow(changes: AsyncGenerator<LoopChange, LoopState>): AsyncGenerator<LoopChange, LoopState>;
  /** Where it was written, or null. */
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
      // An earlier driver may have written the verdict.
      const receipt = made ?? (await keptReceipt(workspace, loop))?.receipt;
      if (receipt) path = writeReceipt(cwd, receipt);
    } catch (error) {
      // The journal has the receipt, so the outcome is valid and the file can be written later.
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
