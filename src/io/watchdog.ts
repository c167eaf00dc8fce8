import { type ChildProcess, spawn } from "node:child_process";
import { RUN_VARIABLE } from "./tokens.ts";

/*
 * Reads "+ group" and "- group" until its input ends, which happens when this process dies, however it dies.
 * Then kills the groups it was told of, and whatever carries this process's token.
 */
const SCRIPT = `
groups=" "
while read -r op group; do
  case $op in
    +) groups="$groups$group " ;;
    -) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;;
  esac
done
for group in $groups; do kill -KILL -- "-$group" 2>/dev/null; done
[ -d /proc/self ] || exit 0
for file in $(grep -lzsE "^${RUN_VARIABLE}=[^/]+/$1/" /proc/[0-9]*/environ); do
  pid=\${file#/proc/}
  kill -KILL "\${pid%/environ}" 2>/dev/null
done
exit 0
`;

const RELEASE_MS = 50;

/** Sees to it that no agent survives this process, not even after \`kill -9\`. */
export interface Watchdog {
  watch(group: number): void;
  release(group: number): void;
  close(): void;
}

/** One per process, started with the first agent. `processToken` is the second part of this process's run tokens. */
export function startWatchdog(processToken: string): Watchdog {
  const env = { ...process.env };
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
  // Each write wakes the watchdog: an end is told together with the next beginning, or a moment later.
  let untold = "";
  const tell = (line: string) => {
    child.stdin?.write(`${untold}${line}`);
    untold = "";
  };
  return {
    watch: (group) => tell(`+ ${group}\n`),
    release(group) {
      if (untold === "") setTimeout(() => untold && tell(""), RELEASE_MS).unref();
      untold += `- ${group}\n`;
    },
    close: () => child.stdin?.end(untold),
  };
}

function ignore(): void {
  // Nothing to do: see above.
}
