import { lineSplitter } from "../io/lines.ts";
import type { ProgramRun } from "../io/program.ts";
import { pathIn } from "./patch.ts";

/** A changed file; null where it does not exist. */
export interface ChangedText {
  path: string;
  before: string | null;
  after: string | null;
}

interface TextsRequest {
  from: string;
  to: string;
  /** Only files with an added or removed line that matches this POSIX extended expression. */
  matching?: string;
  paths: readonly string[];
  /** Called for one file after another; only one is in memory. */
  onFile(file: ChangedText): void;
}

type Run = (args: readonly string[], more?: { take?(chunk: Buffer): void }) => Promise<ProgramRun>;

const LINE_BYTES = 4 << 20;
/** Larger files end here. */
const FILE_CHARS = 16 << 20;
/** Enough context for the whole file. */
const CONTEXT = 2 ** 31 - 1;

/** Reads both sides of the files that differ between two trees or commits, in one process. False if git fails. */
export async function changedTexts(run: Run, { from, to, matching, paths, onFile }: TextsRequest): Promise<boolean> {
  const reader = textReader(onFile);
  const format = ["-r", "-p", `-U${CONTEXT}`, "--text", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
  const options = [
    ...format,
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    ...(matching ? [`-G${matching}`] : []),
  ];
  const args = ["-c", "core.quotePath=false", "diff-tree", ...options, "--end-of-options", from, to];
  const { code } = await run([...args, "--", ...paths], { take: reader.add });
  if (code === 0) reader.end();
  return code === 0;
}

function textReader(onFile: TextsRequest["onFile"]) {
  let file: { path: string; before: string[]; after: string[]; isNew: boolean; isGone: boolean } | null = null;
  let inHunk = false;
  let chars = 0;
  const finish = () => {
    if (!file) return;
    const { path, before, after, isNew, isGone } = file;
    onFile({ path, before: isNew ? null : before.join("\n"), after: isGone ? null : after.join("\n") });
    file = null;
  };
  const begin = (header: string) => {
    finish();
    file = { path: pathIn(header), before: [], after: [], isNew: false, isGone: false };
    inHunk = false;
    chars = 0;
  };
  const content = (text: string) => {
    chars += text.length;
    if (!file || chars > FILE_CHARS || text.startsWith("\\")) return;
    const line = text.slice(1);
    if (!text.startsWith("+")) file.before.push(line);
    if (!text.startsWith("-")) file.after.push(line);
  };
  const take = (text: string) => {
    // A line of content starts with a mark, so none looks like a header.
    if (text.startsWith("diff --git ")) begin(text);
    else if (inHunk) content(text);
    else if (text.startsWith("@@ ")) inHunk = true;
    else if (file && text.startsWith("new file mode")) file.isNew = true;
    else if (file && text.startsWith("deleted file mode")) file.isGone = true;
  };
  const lines = lineSplitter(LINE_BYTES, (bytes) => take(bytes.toString()));
  return {
    add: lines.add,
    end() {
      lines.end();
      finish();
    },
  };
}
