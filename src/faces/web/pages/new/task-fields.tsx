import { useId } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import type { Draft } from "./draft.ts";

export interface PartProps {
  draft: Draft;
  faults: Readonly<Record<string, string>>;
  change(part: Partial<Draft>): void;
}

/** What the task is. */
export function TaskFields({ draft, faults, change, specs }: PartProps & { specs: readonly string[] }) {
  return (
    <section class="form-part">
      <h2>Task</h2>
      <Field
        name="title"
        label="Title"
        required
        value={draft.title}
        fault={faults.title}
        onInput={(title) => change({ title })}
      />
      <Field
        name="description"
        label="Description"
        lines={4}
        hint="What the agents should know. It is part of their prompts."
        value={draft.description}
        fault={faults.description}
        onInput={(description) => change({ description })}
      />
      <Place draft={draft} faults={faults} change={change} specs={specs} />
      <Order draft={draft} faults={faults} change={change} />
    </section>
  );
}

/** Its id, its spec, and when it is started. */
function Place({ draft, faults, change, specs }: PartProps & { specs: readonly string[] }) {
  const list = useId();
  return (
    <div class="field-row">
      <Field
        name="id"
        label="Id"
        isCode
        hint="Default: the next number."
        value={draft.id}
        fault={faults.id}
        onInput={(id) => change({ id })}
      />
      <Field
        name="spec_id"
        label="Spec"
        isCode
        list={list}
        hint="Default: the default spec."
        value={draft.spec}
        fault={faults.spec_id}
        onInput={(spec) => change({ spec })}
      />
      <datalist id={list}>
        {specs.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <Field
        name="priority"
        label="Priority"
        hint="1 is the highest. Default: 3."
        value={draft.priority}
        fault={faults.priority}
        onInput={(priority) => change({ priority })}
      />
    </div>
  );
}

/** What it waits for, and for whom it is. */
function Order({ draft, faults, change }: PartProps) {
  return (
    <div class="field-row">
      <Field
        name="dependencies"
        label="Depends on"
        isCode
        hint="Ids of tasks, separated by spaces."
        value={draft.dependencies}
        fault={faults.dependencies}
        onInput={(dependencies) => change({ dependencies })}
      />
      <Field
        name="assignee"
        label="Assignee"
        value={draft.assignee}
        fault={faults.assignee}
        onInput={(assignee) => change({ assignee })}
      />
    </div>
  );
}
