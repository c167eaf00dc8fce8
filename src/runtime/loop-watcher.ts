import type { AgentEvent } from "../core/agent.ts";
import type { Alarm } from "../core/render.ts";
import type { CheckView } from "../verify/verification-context.ts";

/** Where the user follows a running loop. */
export interface LoopWatcher extends CheckView {
  /** Wants the agent's output as it prints it, not made readable. */
  raw: boolean;
  show(output: Buffer | string): Promise<void> | undefined;
  /** What an agent with a structured stream prints beside it, for a view that wants the stream raw. */
  showAside?(output: Buffer): Promise<void> | undefined;
  /** Colours what the user should not miss. */
  alarm?: Alarm;
  /** Called for every event of the agent. */
  hear?(event: AgentEvent): void;
}
