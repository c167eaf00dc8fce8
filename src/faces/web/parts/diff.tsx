import { useMemo, useState } from "preact/hooks";
import type { showLoopDiff } from "../../../core/schema/api-view.ts";
import type { AnswerOf } from "../answer-of.ts";
import { useResource } from "../resource.ts";
import { Badge } from "./badge.tsx";
import { type DiffLine, type FileDiff, filesOfDiff, visible } from "./diff-lines.ts";
import { EmptyState, Failed } from "./empty-state.tsx";
import { FixedList } from "./fixed-list.tsx";
import { IterationSelect } from "./iteration-select.tsx";
import { Skeleton } from "./skeleton.tsx";

/** Of a task it has the same form. */
type DiffAnswer = AnswerOf<typeof showLoopDiff>;
type DiffFile = DiffAnswer["files"][number];

interface DiffProps {
  /** Such as `/api/loops/ab12/diff`. */
  path: string;
  /** The iterations to choose from; none: only the whole. */
  iterations?: readonly number[];
  /** The chosen iteration; null: all of them together. */
  iteration?: number | null;
  onIteration?(n: number | null): void;
  subjects: readonly string[];
}

/** What the work has changed: the files, and their lines. */
export function Diff({ path, iterations = [], iteration = null, onIteration, subjects }: DiffProps) {
  const [testsOnly, setTestsOnly] = useState(false);
  const query = new URLSearchParams({
    ...(iteration === null ? {} : { iteration: String(iteration) }),
    ...(testsOnly ? { tests: "true" } : {}),
  });
  const { value, failure, reload } = useResource<DiffAnswer>(`${path}?${query}`, subjects);
  return (
    <div class="diff">
      <div class="toolbar">
        {iterations.length > 0 && onIteration && (
          <IterationSelect
            label="Changes of"
            all="the whole loop"
            iterations={iterations}
            iteration={iteration}
            onIteration={onIteration}
          />
        )}
        <label class="check">
          <input type="checkbox" checked={testsOnly} onChange={() => setTestsOnly(!testsOnly)} /> Tests only
        </label>
      </div>
      {failure && !value && <Failed failure={failure} retry={reload} />}
      {!failure && !value && <Skeleton lines={4} />}
      {value && <Files answer={value} testsOnly={testsOnly} />}
    </div>
  );
}

function Files({ answer, testsOnly }: { answer: DiffAnswer; testsOnly: boolean }) {
  const rows = useMemo(() => rowsOf(filesOfDiff(answer.patch)), [answer.patch]);
  const [target, setTarget] = useState<{ index: number } | null>(null);
  const { files, truncated, notes } = answer;
  if (files.length === 0)
    return (
      <EmptyState title={testsOnly ? "No test has changed." : "Nothing has changed."}>{notes.join(" ")}</EmptyState>
    );
  const starts = new Map(rows.flatMap((row, index) => (row.is === "file" ? [[row.file.path, index] as const] : [])));
  const total = (key: "added" | "removed") => files.reduce((sum, file) => sum + (file[key] ?? 0), 0);
  return (
    <>
      <p>
        {files.length === 1 ? "1 file" : `${files.length} files`}{" "}
        <Counts added={total("added")} removed={total("removed")} />
        {truncated && <span class="text-warn"> The diff is too long to be shown completely.</span>}
      </p>
      {notes.map((note) => (
        <p key={note} class="soft">
          {note}
        </p>
      ))}
      <ul class="diff-files">
        {files.map((file) => (
          <li key={file.path}>
            <FileButton
              file={file}
              {...(starts.has(visible(file.path))
                ? { show: () => setTarget({ index: starts.get(visible(file.path)) ?? 0 }) }
                : {})}
            />
          </li>
        ))}
      </ul>
      <FixedList
        label="Changed lines"
        class="diff-rows"
        count={rows.length}
        target={target}
        row={(i) => rowView(rows[i])}
      />
    </>
  );
}

function FileButton({ file, show }: { file: DiffFile; show?: () => void }) {
  const { path, from, status, decides, added, removed } = file;
  const name = from && from !== path ? `${visible(from)} → ${visible(path)}` : visible(path);
  return (
    <>
      {show ? (
        <button type="button" class="link-button file-name" onClick={show}>
          {name}
        </button>
      ) : (
        <span class="file-name">{name}</span>
      )}{" "}
      <span class="soft">{status}</span>{" "}
      {added === null ? <span class="soft">binary</span> : <Counts added={added} removed={removed ?? 0} />}
      {decides !== null && (
        <Badge tone="warn" title="this file decides completion">
          {decides}
        </Badge>
      )}
    </>
  );
}

const Counts = ({ added, removed }: { added: number; removed: number }) => (
  <span class="counts">
    <span class="text-good">+{added}</span> <span class="text-bad">−{removed}</span>
    <span class="hidden"> lines</span>
  </span>
);

type Row = { is: "file"; file: FileDiff } | DiffLine;

const rowsOf = (files: readonly FileDiff[]): Row[] =>
  files.flatMap((file): Row[] => [{ is: "file", file }, ...file.lines]);

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

function rowView(row: Row | undefined) {
  if (!row) return null;
  if (row.is === "file") return <div class="row-file">{row.file.path}</div>;
  if (row.is === "hunk" || row.is === "note") return <div class={`row-${row.is}`}>{row.text}</div>;
  return (
    <div class={`row-line row-${row.is}`}>
      <span class="number">{row.before ?? ""}</span>
      <span class="number">{row.after ?? ""}</span>
      <span class="sign">{SIGNS[row.is]}</span>
      <span class="code">{row.text}</span>
    </div>
  );
}
