import { useState } from "preact/hooks";
import { formatDuration } from "../../../core/duration.ts";
import type { CheckLine } from "../../../core/view/loop-page.ts";
import { TONE_MARKS } from "../../../core/view/marks.ts";

/** Checks with their results; those with output or failing tests can be opened. */
export function Checks({ checks, opens = false }: { checks: readonly CheckLine[]; opens?: boolean }) {
  return (
    <ul class="checks">
      {checks.map((check, i) => (
        // Names may repeat.
        <li key={`${i} ${check.name}`} class={`check-line edge-${check.tone}`}>
          <Check check={check} opens={opens && check.tone === "bad"} />
        </li>
      ))}
    </ul>
  );
}

/** Opens by itself only at first: then it stays as the user left it. */
function Check({ check, opens }: { check: CheckLine; opens: boolean }) {
  const [isOpen] = useState(opens);
  const { excerpt, failing, findings } = check;
  if (excerpt === "" && failing.length + findings.length === 0) return <CheckHead check={check} />;
  return (
    <details open={isOpen}>
      <summary>
        <CheckHead check={check} />
      </summary>
      {findings.length > 0 && (
        <ul class="details">
          {findings.map((finding, i) => (
            <li key={`${i} ${finding}`}>{finding}</li>
          ))}
        </ul>
      )}
      {failing.length > 0 && <Failing names={failing} />}
      {excerpt !== "" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        <pre class="excerpt" tabIndex={0}>
          {excerpt}
        </pre>
      )}
    </details>
  );
}

function CheckHead({ check: { name, command, tone, words, since, tests, ms } }: { check: CheckLine }) {
  const facts = [tests, since, ms > 0 ? formatDuration(ms) : ""].filter(Boolean);
  return (
    <span class="check-head">
      <span class={`mark text-${tone}`} aria-hidden="true">
        {TONE_MARKS[tone]}
      </span>
      <span class="check-words">
        <span class="check-name">{name}</span>
        <span class={`text-${tone}`}>{words}</span>
        {facts.length > 0 && <span class="soft">{facts.join(" · ")}</span>}
        {command !== "" && command !== name && <code class="check-command">{command}</code>}
      </span>
    </span>
  );
}

function Failing({ names }: { names: readonly string[] }) {
  return (
    <ul class="failing" aria-label="Failing tests">
      {names.map((name, i) => (
        <li key={`${i} ${name}`}>{name}</li>
      ))}
    </ul>
  );
}
