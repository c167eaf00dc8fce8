import { OUTPUT_LIMIT } from "../../../core/output-limit.ts";

/** Whether so many characters may still be printed; says once that the rest is left out. */
export type Room = (chars: number) => boolean;

const PLENTY: Room = () => true;

/** The limit of a process whose output is collected in a file. */
export function roomIn(env: NodeJS.ProcessEnv, full: () => void): Room {
  const limit = Number(env[OUTPUT_LIMIT] ?? 0);
  // Programs that it starts have no such limit.
  delete env[OUTPUT_LIMIT];
  if (!(limit > 0)) return PLENTY;
  let left = limit;
  return (chars) => {
    if (left <= 0) return false;
    left -= chars;
    if (left <= 0) full();
    return left > 0;
  };
}
