import { useId } from "preact/hooks";
import { type AgentRole, ROLES } from "../../../../core/task/role.ts";
import { placeName, roleTitle } from "../../../../core/view/card.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import type { AgentDraft } from "./draft.ts";

interface AgentProps {
  role: AgentRole;
  agent: AgentDraft;
  faults: Readonly<Record<string, string>>;
  change(part: Partial<AgentDraft>): void;
}

const METHODS: readonly { value: AgentDraft["method"]; label: string }[] = [
  { value: "", label: "From the settings" },
  { value: "external", label: "external: a command must exit 0" },
  { value: "semantic", label: "semantic: a judge decides" },
  { value: "multi_stage", label: "multi_stage: several commands in order" },
  { value: "string_match", label: "string_match: the promise alone" },
];

/** How one agent's part is verified. */
export function AgentFields({ role, agent, faults, change }: AgentProps) {
  const select = useId();
  const at = `completion_spec.${role}`;
  const isFaulty = Object.keys(faults).some((name) => name.startsWith(`${at}.`));
  const isUsed = agent.method !== "" || agent.promise !== "" || agent.maxIterations !== "";
  return (
    <details class="form-agent" open={isFaulty || isUsed}>
      <summary>
        {placeName(role)} <span class="soft">{roleTitle(role)}</span>
      </summary>
      <div class="field-row">
        <div class="field">
          <label for={select}>Verification</label>
          <select
            id={select}
            class="input"
            value={agent.method}
            onChange={(event) => {
              const chosen = METHODS.find(({ value }) => value === event.currentTarget.value);
              change({ method: chosen?.value ?? "" });
            }}
          >
            {METHODS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <Field
          name={`${at}.promise`}
          label="Promise"
          isCode
          hint={`Default: ${ROLES[role].promise}`}
          value={agent.promise}
          fault={faults[`${at}.promise`]}
          onInput={(promise) => change({ promise })}
        />
        <Field
          name={`${at}.max_iterations`}
          label="Maximum iterations"
          hint={`Default: ${ROLES[role].maxIterations}, or from the settings.`}
          value={agent.maxIterations}
          fault={faults[`${at}.max_iterations`]}
          onInput={(maxIterations) => change({ maxIterations })}
        />
      </div>
      <MethodFields role={role} agent={agent} faults={faults} change={change} />
    </details>
  );
}

function MethodFields({ role, agent, faults, change }: AgentProps) {
  const at = `completion_spec.${role}.verification_config`;
  switch (agent.method) {
    case "external":
      return (
        <Field
          name={`${at}.command`}
          label="Command"
          isCode
          required
          hint="A shell command that exits 0 if the work is done."
          value={agent.command}
          fault={faults[`${at}.command`]}
          onInput={(command) => change({ command })}
        />
      );
    case "semantic":
      return (
        <Field
          name={`${at}.check_for`}
          label="What the judge decides"
          lines={3}
          hint="One per line. Default: the acceptance criteria."
          value={agent.checkFor}
          fault={faults[`${at}.check_for`]}
          onInput={(checkFor) => change({ checkFor })}
        />
      );
    case "multi_stage":
      return <StageFields at={`${at}.stages`} agent={agent} faults={faults} change={change} />;
    default:
      return null;
  }
}

function StageFields({ at, agent, faults, change }: Omit<AgentProps, "role"> & { at: string }) {
  const { stages } = agent;
  const edit = (n: number, part: Partial<(typeof stages)[number]>) =>
    change({ stages: stages.map((one, i) => (i === n ? { ...one, ...part } : one)) });
  return (
    <>
      <ol class="form-rows">
        {stages.map((stage, n) => (
          <li key={n} class="form-row">
            <Field
              name={`${at}[${n}].name`}
              label={`Stage ${n + 1}`}
              value={stage.name}
              fault={faults[`${at}[${n}].name`]}
              onInput={(name) => edit(n, { name })}
            />
            <Field
              name={`${at}[${n}].config.command`}
              label="Command"
              isCode
              required
              value={stage.command}
              fault={faults[`${at}[${n}].config.command`]}
              onInput={(command) => edit(n, { command })}
            />
            {stages.length > 1 && (
              <Button
                kind="quiet"
                label={`Remove stage ${n + 1}`}
                onClick={() => change({ stages: stages.filter((_, i) => i !== n) })}
              >
                ×
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Button onClick={() => change({ stages: [...stages, { name: "", command: "" }] })}>Add a stage</Button>
    </>
  );
}
