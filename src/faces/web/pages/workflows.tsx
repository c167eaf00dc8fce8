import { useState } from "preact/hooks";
import type { listRuns } from "../../../core/schema/api-runs.ts";
import type { listWorkflows, startRun } from "../../../core/schema/api-workflows.ts";
import { runBadge } from "../../../core/view/run-line.ts";
import type { FaultyFile } from "../../../core/workflow/fault.ts";
import type { AnswerOf } from "../answer-of.ts";
import { post, viewer } from "../api.ts";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { Ago } from "../parts/clock.tsx";
import { EmptyState, Failed } from "../parts/empty-state.tsx";
import { Field } from "../parts/field.tsx";
import { Form, Submit } from "../parts/form.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Table } from "../parts/table.tsx";
import { useResource } from "../resource.ts";
import { go, hrefOf } from "../router.ts";
import { Conversation } from "./conversation.tsx";
import { conversationHref, type RunLine } from "./run-facts.ts";

type WorkflowAnswer = AnswerOf<typeof listWorkflows>;

/** Workflows with their runs; with an id, one conversation. */
export function Workflows({ id }: { id: string }) {
  if (id !== "") return <Conversation id={id} />;
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>Workflows</h1>
      </div>
      <WorkflowList />
      <Runs />
    </>
  );
}

function WorkflowList() {
  const { value, failure, reload } = useResource<WorkflowAnswer>("/api/workflows");
  if (failure) return <Failed failure={failure} retry={reload} />;
  if (!value) return <Skeleton lines={3} />;
  const { workflows, faulty } = value;
  return (
    <>
      {workflows.length === 0 && (
        <EmptyState title="This repository has no workflows" command="ralph workflow list">
          A workflow is a file in <code>.ralph/workflows</code>.
        </EmptyState>
      )}
      <ul class="rows">
        {workflows.map((workflow) => (
          <Workflow key={workflow.name} {...workflow} />
        ))}
      </ul>
      {faulty.length > 0 && <Faulty files={faulty} />}
    </>
  );
}

function Workflow({ name, description, triggers, file }: WorkflowAnswer["workflows"][number]) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="row workflow">
      <div class="row-main">
        <strong>{name}</strong> <span class="soft">{description}</span>
        <p class="soft">
          <code>{file}</code>
          {triggers.length > 0 && ` · starts with “${triggers.join("”, “")}”`}
        </p>
      </div>
      {!viewer.value && (
        <Button label={`Start ${name}`} onClick={() => setOpen(!isOpen)}>
          Start…
        </Button>
      )}
      {isOpen && <StartRun name={name} />}
    </li>
  );
}

function StartRun({ name }: { name: string }) {
  const [message, setMessage] = useState("");
  const [fault, setFault] = useState("");
  const start = async () => {
    if (message.trim() === "") return setFault("Enter a message");
    const answer = await post<AnswerOf<typeof startRun>>(`/api/workflows/${encodeURIComponent(name)}/runs`, {
      message,
    });
    if (!answer.ok) return setFault(`${answer.message}${answer.hint ? ` (${answer.hint})` : ""}`);
    go(hrefOf("workflows", answer.value.conversationId));
  };
  return (
    <Form class="start-run" onSubmit={start}>
      <Field name="message" label={`Message to ${name}`} lines={3} value={message} fault={fault} onInput={setMessage} />
      <Submit>Start the workflow</Submit>
    </Form>
  );
}

function Faulty({ files }: { files: readonly FaultyFile[] }) {
  return (
    <section class="block">
      <h2>Files that are not valid</h2>
      <ul class="rows">
        {files.map(({ file, faults }) => (
          <li key={file} class="row">
            <div class="row-main">
              <code>{file}</code>
              {faults.map(({ line, column, text, hint }) => (
                <p key={`${line}:${column}:${text}`} class="soft">
                  <code>
                    {line}:{column}
                  </code>{" "}
                  {text} {hint}
                </p>
              ))}
            </div>
            <Badge tone="bad">not valid</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Runs() {
  const { value, failure } = useResource<AnswerOf<typeof listRuns>>("/api/runs", ["run/"]);
  return (
    <section class="block">
      <h2>Runs</h2>
      {failure && <Failed failure={failure} />}
      {value?.runs.length === 0 && <p class="soft">No workflow has run yet.</p>}
      {value && value.runs.length > 0 && (
        <Table caption="Runs" columns={["Run", "Message", "Workflow", "State", "Updated"]} numbers={["Updated"]}>
          {value.runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </Table>
      )}
    </section>
  );
}

function RunRow({ run }: { run: RunLine }) {
  const { tone, badge } = runBadge(run);
  const talk = conversationHref(run);
  return (
    <tr>
      <td>
        <a class="id" href={hrefOf("runs", run.id)}>
          {run.id}
        </a>
      </td>
      <td class="wide">
        <a class="plain-link" href={talk ?? hrefOf("runs", run.id)}>
          {run.message || run.id}
        </a>
      </td>
      <td>{run.workflow}</td>
      <td>
        <Badge tone={tone} {...(run.detail ? { title: run.detail } : {})}>
          {badge}
        </Badge>
      </td>
      <td class="number">
        <Ago at={run.updatedAtMs} />
      </td>
    </tr>
  );
}
