import { useEffect, useRef, useState } from "preact/hooks";
import type { createTasks, listSpecs } from "../../../core/schema/api-tasks.ts";
import { AGENT_ROLES, type AgentRole } from "../../../core/task/role.ts";
import type { AnswerOf } from "../answer-of.ts";
import { post, viewer } from "../api.ts";
import { Button } from "../parts/button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Form, Submit } from "../parts/form.tsx";
import { notice } from "../parts/toast.tsx";
import { useResource } from "../resource.ts";
import { go } from "../router.ts";
import { AgentFields } from "./new/agent-fields.tsx";
import { CriteriaFields } from "./new/criteria-fields.tsx";
import { type AgentDraft, type Draft, documentOf, draftIn, NEW_DRAFT, tidied } from "./new/draft.ts";
import { type Faults, faultsOfDraft, faultsOfFailure } from "./new/faults.ts";
import { TaskFields } from "./new/task-fields.tsx";

const KEPT = "ralph-new-task";

/** What was typed before the page was reloaded or left. */
const keptDraft = (): Draft => draftIn(sessionStorage.getItem(KEPT));

/** A form for a task with its acceptance criteria and the verification of each agent. */
export function NewTask() {
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>New task</h1>
      </div>
      {viewer.value ? <EmptyState title="This session is read-only" command="ralph serve --open" /> : <TaskForm />}
    </>
  );
}

function useDraft() {
  const [draft, setDraft] = useState(keptDraft);
  const change = (part: Partial<Draft>) =>
    setDraft((before) => {
      const after = { ...before, ...part };
      sessionStorage.setItem(KEPT, JSON.stringify(after));
      return after;
    });
  const changeAgent = (role: AgentRole, part: Partial<AgentDraft>) =>
    change({ agents: { ...draft.agents, [role]: { ...draft.agents[role], ...part } } });
  const reset = () => {
    sessionStorage.removeItem(KEPT);
    setDraft(NEW_DRAFT);
  };
  return { draft, change, changeAgent, reset };
}

function TaskForm() {
  const { draft, change, changeAgent, reset } = useDraft();
  const [faults, setFaults] = useState<Faults | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const { value: specs } = useResource<AnswerOf<typeof listSpecs>>("/api/specs");
  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    if (faults) (find("[aria-invalid=true]") ?? find(".form-faults"))?.focus();
  }, [faults]);
  const create = async () => {
    const tidy = tidied(draft);
    change(tidy);
    const wrong = faultsOfDraft(tidy);
    if (wrong) return setFaults(wrong);
    const answer = await post<AnswerOf<typeof createTasks>>("/api/tasks", documentOf(tidy));
    if (!answer.ok) return setFaults(faultsOfFailure(answer, tidy));
    reset();
    notice(`${answer.value.id} was created.`, { tone: "good" });
    go("/board");
  };
  const fieldFaults = faults?.fields ?? {};
  const common = { draft, faults: fieldFaults, change };
  return (
    <Form element={form} class="form" onSubmit={create}>
      {faults && <FormFaults faults={faults} />}
      <TaskFields {...common} specs={specs?.specs.map(({ id }) => id) ?? []} />
      <CriteriaFields {...common} />
      <section class="form-part">
        <h2>Verification by agent</h2>
        <p class="hint">Optional. The default comes from the settings.</p>
        {AGENT_ROLES.map((role) => (
          <AgentFields
            key={role}
            role={role}
            agent={draft.agents[role]}
            faults={fieldFaults}
            change={(part) => changeAgent(role, part)}
          />
        ))}
      </section>
      <div class="form-end">
        <Button onClick={reset}>Clear</Button>
        <Submit>Create the task</Submit>
      </div>
    </Form>
  );
}

function FormFaults({ faults: { fields, general } }: { faults: Faults }) {
  const count = Object.keys(fields).length;
  return (
    <div class="form-faults tone-bad" role="alert" tabIndex={-1}>
      {count > 0 && <p>{count === 1 ? "One field is" : `${count} fields are`} not valid.</p>}
      {general.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
