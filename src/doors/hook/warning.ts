import { type HookServices, logged } from "./hook-context.ts";

/** For whoever keeps no log: what should not pass unseen becomes a warning of the process. */
export const warning: HookServices["log"] = (level, message, details) => {
  if (level === "info") return;
  process.emitWarning(logged(details ? `${message} ${JSON.stringify(details)}` : message), "RalphLoopWarning");
};
