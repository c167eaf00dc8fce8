import { useState } from "preact/hooks";
import type { startExecution as startOperation } from "../../../core/schema/api-executions.ts";
import type { AnswerOf } from "../answer-of.ts";
import { type Failure, post } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Field } from "../parts/field.tsx";
import { Form, Submit } from "../parts/form.tsx";
import { notice } from "../parts/toast.tsx";

/** What is typed in the form. */
interface Typed {
  tasks: string;
  parallel: string;
  maxCost: string;
}

const requestOf = ({ tasks, parallel, maxCost }: Typed) => {
  const ids = tasks.split(/[\s,]+/).filter(Boolean);
  return {
    ...(ids.length > 0 ? { tasks: ids } : {}),
    ...(parallel ? { maxParallel: Number(parallel) } : {}),
    ...(maxCost ? { maxCostUsd: Number(maxCost) } : {}),
  };
};

/** Starts an execution of the tasks that are ready. */
export function StartExecution({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState<Typed>({ tasks: "", parallel: "", maxCost: "" });
  const [failure, setFailure] = useState<Failure | null>(null);
  const start = async () => {
    const answer = await post<AnswerOf<typeof startOperation>>("/api/executions", requestOf(typed));
    if (!answer.ok) return setFailure(answer);
    const { ended, log } = answer.value;
    if (ended)
      notice("The execution has ended already: no task was ready.", { tone: "warn", hint: `Its output: ${log}` });
    else notice("The execution is starting.", { tone: "good" });
    onClose();
  };
  return (
    <Dialog title="Start an execution" onClose={onClose}>
      <Form onSubmit={start}>
        <p class="soft">It runs ready tasks through every stage and merges them, as `ralph execute` does.</p>
        {failure && (
          <p class="fault" role="alert">
            {failure.message} <span class="soft">{failure.hint}</span>
          </p>
        )}
        <Limits typed={typed} change={(part) => setTyped({ ...typed, ...part })} />
        <div class="dialog-buttons">
          <Button onClick={onClose}>Back</Button>
          <Submit>Start</Submit>
        </div>
      </Form>
    </Dialog>
  );
}

function Limits({ typed, change }: { typed: Typed; change(part: Partial<Typed>): void }) {
  return (
    <>
      <Field
        name="tasks"
        label="Only these tasks"
        hint="Ids, separated by spaces. Default: all ready tasks."
        value={typed.tasks}
        onInput={(tasks) => change({ tasks })}
      />
      <Field
        name="parallel"
        label="Parallel tasks"
        type="number"
        hint="Default: from the settings."
        value={typed.parallel}
        onInput={(parallel) => change({ parallel })}
      />
      <Field
        name="cost"
        label="Stop at a cost of (US$)"
        type="number"
        hint="Default: no limit."
        value={typed.maxCost}
        onInput={(maxCost) => change({ maxCost })}
      />
    </>
  );
}
