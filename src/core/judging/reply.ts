import type { Usage } from "../usage.ts";

export type Reply =
  | { is: "answered"; text: string; usage: Usage }
  /** The environment's fault: no network, overload, a limit, a missing login. `again`: another try may help. */
  | { is: "unavailable"; why: string; again: boolean; retryAfterMs?: number; usage: Usage }
  /** It was reached and cannot answer this: the model is not there, the question too long. */
  | { is: "refused"; why: string; usage: Usage }
  | { is: "stopped"; usage: Usage };
