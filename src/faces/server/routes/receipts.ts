import { relative } from "node:path";
import { RalphError } from "../../../core/errors.ts";
import { listReceipts, showReceipt } from "../../../core/schema/api-rest.ts";
import { type FoundReceipt, readReceipt } from "../../../verify/receipts/files.ts";
import { receiptFiles, receiptOfLoop } from "../../../verify/receipts/find.ts";
import { receiptDigest } from "../../../verify/receipts/make.ts";
import { type Route, route } from "../route.ts";

/** Receipts: what `ralph receipt show` does, and a list. */
export const receiptRoutes: readonly Route[] = [
  route(listReceipts, async ({ context: { workspace } }) => {
    const receipts = [];
    const faulty = [];
    for (const path of receiptFiles(workspace.cwd)) {
      const file = relative(workspace.cwd, path);
      const found = await readReceipt(path, file).catch(faultOf);
      if (found instanceof RalphError) faulty.push({ file, message: found.message });
      else receipts.push(summaryOf(found));
    }
    return { receipts: receipts.sort((a, b) => (a.completedAt < b.completedAt ? 1 : -1)), faulty };
  }),
  route(
    showReceipt,
    async ({ context: { workspace }, params }) =>
      (await receiptOfLoop(workspace.cwd, params.loop, { rewrite: false })).receipt,
  ),
];

const summaryOf = ({ file, receipt, raw }: FoundReceipt) => ({
  loop: receipt.loop,
  title: receipt.title,
  completedAt: receipt.completedAt,
  proof: receipt.proof,
  weak: receipt.weak,
  file,
  commit: receipt.subject.commit,
  labels: receipt.labels,
  intact: receiptDigest(raw) === receipt.digest,
});

function faultOf(error: unknown): RalphError {
  if (error instanceof RalphError) return error;
  throw error;
}
