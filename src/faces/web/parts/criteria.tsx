import type { CriterionLine } from "../../../core/view/task-page.ts";

const STATES: Readonly<Record<CriterionLine["is"], { mark: string; tone: string }>> = {
  proved: { mark: "✓", tone: "good" },
  failing: { mark: "✗", tone: "bad" },
  open: { mark: "○", tone: "dim" },
};

/** Acceptance criteria, each with whether it is proved and why not. */
export function CriteriaList({ criteria }: { criteria: readonly CriterionLine[] }) {
  return (
    <ul class="criteria">
      {criteria.map(({ text, is, why }, i) => (
        <li key={`${i} ${text}`}>
          <span class={`mark text-${STATES[is].tone}`} aria-hidden="true">
            {STATES[is].mark}
          </span>
          <span>
            <span class="hidden">{is}: </span>
            {text}
            {why !== "" && <span class="criterion-why">{why}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
