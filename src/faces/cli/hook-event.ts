import { answerOnStdout } from "../../adapters/hosts/program.ts";

/** `ralph hook event <host>`: apart from the other commands, for a host waits for it after every turn. */
export const hookEvent = (host: string): Promise<void> =>
  answerOnStdout(host, async () => (await import("../../doors/hook/open.ts")).answerHost);
