import { answerOnStdout } from "../../adapters/hosts/program.ts";

/** `ralph hook event <host>`: separate from the other commands, because a host waits for it after every turn. */
export const hookEvent = (host: string): Promise<void> =>
  answerOnStdout(host, async () => (await import("../../doors/hook/open.ts")).answerHost);
