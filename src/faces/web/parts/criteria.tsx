import { CRITERION_LOOKS } from "../../../core/view/marks.ts";
import type { CriterionLine } from "../../../core/view/task-page.ts";

/** Acceptance criteria, each with whether it is proved and why not. */
export function CriteriaList({ criteria }: { criteria: readonly CriterionLine[] }) {
  return (
    <ul class="criteria">
      {criteria.map(({ text, is, why }, i) => (
        <li key={`${i} ${text}`}>
          <span class={`mark text-${CRITERION_LOOKS[is].tone}`} aria-hidden="true">
            {CRITERION_LOOKS[is].mark}
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
