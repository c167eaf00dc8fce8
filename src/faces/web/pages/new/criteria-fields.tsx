import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import type { PartProps } from "./task-fields.tsx";

/** What "done" means for the whole task. */
export function CriteriaFields({ draft, faults, change }: PartProps) {
  const { criteria } = draft;
  const at = "completion_spec.acceptance_criteria";
  const edit = (n: number, part: Partial<(typeof criteria)[number]>) =>
    change({ criteria: criteria.map((one, i) => (i === n ? { ...one, ...part } : one)) });
  return (
    <section class="form-part">
      <h2>What “done” means</h2>
      <Field
        name="completion_spec.outcome"
        label="Outcome"
        required
        hint="The result when the task is done, in one sentence."
        value={draft.outcome}
        fault={faults["completion_spec.outcome"]}
        onInput={(outcome) => change({ outcome })}
      />
      <h3>Acceptance criteria</h3>
      <p class="hint">What must be true. A command that exits 0 proves it; without one a judge decides.</p>
      <ol class="form-rows">
        {criteria.map((one, n) => (
          <li key={n} class="form-row">
            <Field
              name={`${at}[${n}].text`}
              label={`Criterion ${n + 1}`}
              required={n === 0}
              value={one.text}
              fault={faults[`${at}[${n}].text`]}
              onInput={(text) => edit(n, { text })}
            />
            <Field
              name={`${at}[${n}].check`}
              label="Command"
              isCode
              value={one.check}
              fault={faults[`${at}[${n}].check`]}
              onInput={(check) => edit(n, { check })}
            />
            {criteria.length > 1 && (
              <Button
                kind="quiet"
                label={`Remove criterion ${n + 1}`}
                onClick={() => change({ criteria: criteria.filter((_, i) => i !== n) })}
              >
                ×
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Button onClick={() => change({ criteria: [...criteria, { text: "", check: "" }] })}>Add a criterion</Button>
    </section>
  );
}
