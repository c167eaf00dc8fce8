import { answerOnStdout } from "../hosts/program.ts";

/** `ralph hook event <host>`: apart from the other commands, for a host waits for it after every turn. */
export const hookEvent = (host: string): Promise<void> =>
  answerOnStdout(host, async () => (await import("../wire/hook/answer.ts")).answerHost);
