import { useCallback, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { FixedList } from "./fixed-list.tsx";
import { IterationSelect } from "./iteration-select.tsx";
import { LineView } from "./line-view.tsx";
import { Measured } from "./measured.tsx";
import { type OutputState, piecesIn } from "./output-stream.ts";
import { saveText } from "./save-text.ts";
import { notice } from "./toast.tsx";
import { outputText, useOutput } from "./use-output.ts";

interface OutputProps {
  loop: string;
  /** Whether more may come. */
  isLive: boolean;
  /** Those to choose from. */
  iterations?: readonly number[];
  /** Null: all of them. */
  iteration: number | null;
  onIteration?(n: number | null): void;
}

const STATE_WORDS: Readonly<Record<OutputState, string>> = {
  reading: "live",
  complete: "complete",
  lost: "connection lost, trying again",
};

/** What the agent prints, live. */
export function Output({ loop, isLive, iterations = [], iteration, onIteration }: OutputProps) {
  const path = outputPath(loop, iteration, { follow: "true" });
  const { rows, state, version, show } = useOutput(path, isLive);
  const [filter, setFilter] = useState("");
  const [columns, setColumns] = useState(120);
  show({ filter, columns });
  const { all, found, dropped } = rows.lines();
  const row = useCallback(
    (index: number) => <LineView line={rows.at(index)} filter={filter} />,
    [rows, filter, version],
  );
  return (
    <div class="output">
      <div class="toolbar">
        {iterations.length > 0 && onIteration && (
          <IterationSelect
            label="Output of"
            all="all iterations"
            iterations={iterations}
            iteration={iteration}
            onIteration={onIteration}
          />
        )}
        <input
          type="search"
          class="input"
          placeholder="Filter lines"
          aria-label="Filter lines"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <output class="soft">{filter === "" ? "" : `${found} of ${all} lines`}</output>
        <span class="soft output-state">{state === "reading" && !isLive ? "reading" : STATE_WORDS[state]}</span>
        <Button kind="quiet" onClick={() => copy(rows.text())}>
          Copy
        </Button>
        <Button kind="quiet" onClick={() => saveRaw(loop, iteration)}>
          Save raw
        </Button>
      </div>
      {dropped > 0 && <p class="soft">The first {dropped} lines are left out here: save the raw output to see them.</p>}
      {all === 0 && state === "complete" ? (
        <EmptyState title="The agent has printed nothing." />
      ) : (
        <Measured onColumns={setColumns}>
          <FixedList key={path} label="Output of the agent" class="output-rows" count={rows.size()} row={row} follow />
        </Measured>
      )}
    </div>
  );
}

function outputPath(loop: string, iteration: number | null, query: Readonly<Record<string, string>>): string {
  const all = new URLSearchParams({ ...query, ...(iteration === null ? {} : { iteration: String(iteration) }) });
  return `/api/loops/${encodeURIComponent(loop)}/output?${all}`;
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notice("The output is in the clipboard.", { tone: "good" });
  } catch {
    notice("The browser does not allow copying here.", { tone: "warn", hint: "Save the raw output instead." });
  }
}

async function saveRaw(loop: string, iteration: number | null): Promise<void> {
  const texts: string[] = [];
  try {
    const chunks = outputText(outputPath(loop, iteration, { raw: "true" }), new AbortController().signal);
    for await (const pieces of piecesIn(chunks)) for (const { text } of pieces) texts.push(text);
    saveText(iteration === null ? `${loop}.log` : `${loop}-${iteration}.log`, texts);
  } catch (error) {
    notice("The output could not be read.", { tone: "bad", hint: String(error) });
  }
}
