import { type ChildProcess, spawn } from "node:child_process";
import { environment } from "./environment.ts";
import { RUN_VARIABLE } from "./run-variable.ts";

/*
 * Reads "+ group" and "- group" until its input ends without a "bye", which happens when this process dies, however it
 * dies. Then kills the groups it was told of, and whatever carries this process's token. One look does not find all:
 * a process may have forked since the list was made, and between fork and exec it shows no token. So it looks again.
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

/** A group that lives shorter is not worth waking the watchdog for: until then its token has to do. */
const WATCH_AFTER_MS = 100;

/** Sees to it that no agent survives this process, not even after `kill -9`. */
export interface Watchdog {
  watch(group: number): void;
  release(group: number): void;
  close(): void;
}

/** One per driver. `processToken` is the second part of this process's run tokens. */
export function startWatchdog(processToken: string): Watchdog {
  const env = { ...environment() };
  // A nested Ralph must outlive nothing, but its watchdog has to survive the sweep that ends it.
  delete env[RUN_VARIABLE];
  const child: ChildProcess = spawn("sh", ["-c", SCRIPT, "ralph-watchdog", processToken], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env,
    cwd: "/",
  });
  child.unref();
  // A watchdog that cannot start or was killed costs its protection only: a resume sweeps by token all the same.
  child.on("error", ignore);
  child.stdin?.on("error", ignore);
  const tell = (line: string) => child.stdin?.write(`${line}\n`);
  const untold = new Map<number, NodeJS.Timeout>();
  return {
    watch(group) {
      const soon = setTimeout(() => {
        untold.delete(group);
        tell(`+ ${group}`);
      }, WATCH_AFTER_MS).unref();
      untold.set(group, soon);
    },
    release(group) {
      clearTimeout(untold.get(group));
      if (!untold.delete(group)) tell(`- ${group}`);
    },
    close: () => child.stdin?.end("bye\n"),
  };
}

function ignore(): void {
  // Nothing to do: see above.
}
