import type { AgentEvent } from "../core/agent.ts";
import type { Alarm } from "../core/render.ts";
import type { CheckView } from "../verify/verification-context.ts";

export interface LoopWatcher extends CheckView {
  raw: boolean;
  show(output: Buffer | string): Promise<void> | undefined;
  /** Gets the standard error of an agent with a structured stream, for a view that wants the stream raw. */
  showAside?(output: Buffer): Promise<void> | undefined;
  alarm?: Alarm;
  /** Whether `show` gets the colours in the agent's messages too. */
  colours?: boolean;
  hear?(event: AgentEvent): void;
}

/** For a loop without an observer. */
export const UNSEEN: LoopWatcher = { raw: false, show: () => undefined, check: () => undefined };
