import { type ChildProcess, spawn } from "node:child_process";
import { environment, RUN_VARIABLE } from "./environment.ts";

/*
 * Reads "+ group" and "- group" until its input ends without a "bye", which happens when this process dies for any
 * reason. Then it kills the registered groups and every process with this process's token. It searches several times: a
 * process may have forked since the list was made, and it shows no token between fork and exec.
 */
const SCRIPT = `
groups=" "
while read -r op group; do
  case $op in
    +) groups="$groups$group " ;;
    -) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;;
    bye) exit 0 ;;
  esac
done
for group in $groups; do kill -KILL -- "-$group" 2>/dev/null; done
[ -d /proc/self ] || exit 0
for pause in 0 0 0.02 0.05 0.1 0.3; do
  sleep $pause
  for file in $(grep -lzsE "^${RUN_VARIABLE}=[^/]+/$1/" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -KILL "\${pid%/environ}" 2>/dev/null
  done
done
exit 0
`;

/** Groups that exit sooner are not registered; their token is enough. */
const WATCH_AFTER_MS = 100;

/** Ensures that no agent outlives this process, not even after `kill -9`. */
export interface Watchdog {
  watch(group: number): void;
  release(group: number): void;
  close(): void;
}

/** One per driver. `processToken` is the second part of this process's run tokens. */
export function startWatchdog(processToken: string): Watchdog {
  const env = { ...environment() };
  // The watchdog of a nested Ralph must survive the sweep that kills that Ralph.
  delete env[RUN_VARIABLE];
  const child: ChildProcess = spawn("sh", ["-c", SCRIPT, "ralph-watchdog", processToken], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env,
    cwd: "/",
  });
  child.unref();
  // Not fatal: without a watchdog, `ralph resume` still sweeps by token.
  const ignore = () => undefined;
  child.on("error", ignore);
  child.stdin?.on("error", ignore);
  const write = (line: string) => child.stdin?.write(`${line}\n`);
  const unregistered = new Map<number, NodeJS.Timeout>();
  return {
    watch(group) {
      const soon = setTimeout(() => {
        unregistered.delete(group);
        write(`+ ${group}`);
      }, WATCH_AFTER_MS).unref();
      unregistered.set(group, soon);
    },
    release(group) {
      clearTimeout(unregistered.get(group));
      if (!unregistered.delete(group)) write(`- ${group}`);
    },
    close: () => child.stdin?.end("bye\n"),
  };
}
