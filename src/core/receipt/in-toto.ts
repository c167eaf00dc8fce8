import { RalphError } from "../errors.ts";
import type { Receipt } from "../schema/receipt.ts";

const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
const PREDICATE_TYPE = "https://www.npmjs.com/package/ralph-engine#receipt/v2";

interface Subject {
  name: string;
  digest: Record<string, string>;
}

/** A receipt as an in-toto statement, for tools that sign and collect them. */
export function statementOf(receipt: Receipt) {
  return {
    _type: STATEMENT_TYPE,
    subject: subjectsOf(receipt),
    predicateType: PREDICATE_TYPE,
    predicate: receipt,
  };
}

/** A commit is the subject only if it contained everything that was judged; otherwise the state of the tree is. */
function subjectsOf({ loop, subject: { commit, gitTree, treeState, clean } }: Receipt): Subject[] {
  if (clean && commit !== null) {
    const tree = gitTree === null ? [] : [{ name: "tree", digest: { gitTree } }];
    return [{ name: "commit", digest: { gitCommit: commit } }, ...tree];
  }
  if (treeState !== null) return [{ name: "working tree", digest: { ralphTreeState: treeState } }];
  throw new RalphError(
    "receipt-no-subject",
    `the receipt of loop ${loop} has no commit or tree that a statement could name`,
    {
      hint: "a statement names a git commit: run the loop in a git repository",
    },
  );
}
