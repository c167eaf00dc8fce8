import type { Receipt } from "../../../core/schema/receipt.ts";
import { useResource } from "../resource.ts";
import { Button } from "./button.tsx";
import { Failed } from "./empty-state.tsx";
import { Fact } from "./fact.tsx";
import { saveText } from "./save-text.ts";
import { Skeleton } from "./skeleton.tsx";
import { Table } from "./table.tsx";

/** The receipt of a completed loop: what was checked, on which commit, and how to check it again. */
export function ReceiptView({ loop }: { loop: string }) {
  const { value, failure, reload } = useResource<Receipt>(`/api/receipts/${encodeURIComponent(loop)}`);
  if (failure && !value) return <Failed failure={failure} retry={reload} />;
  if (!value) return <Skeleton lines={4} />;
  return <ReceiptBody receipt={value} loop={loop} />;
}

function ReceiptBody({ receipt, loop }: { receipt: Receipt; loop: string }) {
  const { subject, completedAt, claim, agents, tool, digest, labels, checks, guardrails } = receipt;
  const tree = subject.clean === null ? "" : subject.clean ? ", nothing uncommitted" : ", with uncommitted changes";
  return (
    <div class="receipt">
      <dl class="facts">
        <Fact name="Level">{receipt.proof}</Fact>
        <Fact name="Completed">
          <time dateTime={completedAt}>{new Date(completedAt).toLocaleString()}</time>
        </Fact>
        <Fact name="Commit">
          <code>{subject.commit ?? "none"}</code>
          {tree}
        </Fact>
        <Fact name="Claim">{claim}</Fact>
        <Fact name="Agents">
          {agents.map(({ command, models }) => [command, ...models].join(" ")).join(", ") || receipt.agent.command}
        </Fact>
        <Fact name="Made by">
          {tool.name} {tool.version}
        </Fact>
        <Fact name="Digest">
          <code>{digest}</code>
        </Fact>
        {labels.length > 0 && <Fact name="Labels">{labels.join(", ")}</Fact>}
      </dl>
      <Table caption="Checks in the receipt" columns={["Check", "Result", "Before the work", "Output, SHA-256"]}>
        {[...checks, ...guardrails.map((one) => ({ ...one, since: null, sha256: null }))].map((check, i) => (
          <tr key={`${i} ${check.name}`}>
            <td>
              {check.name} {check.command !== check.name && <code class="soft">{check.command}</code>}
            </td>
            <td class={check.is === "pass" ? "text-good" : "text-bad"}>{check.is === "pass" ? "passed" : check.is}</td>
            <td>{check.since ?? ""}</td>
            <td>
              <code title={check.sha256 ?? ""}>{check.sha256?.slice(0, 12) ?? ""}</code>
            </td>
          </tr>
        ))}
      </Table>
      <p>
        <span class="soft">Verify it again: </span>
        <code class="command">ralph receipt verify {loop}</code>
      </p>
      <p>
        <Button onClick={() => saveText(`receipt-${loop}.json`, [`${JSON.stringify(receipt, null, 2)}\n`])}>
          Save as JSON
        </Button>
      </p>
    </div>
  );
}
