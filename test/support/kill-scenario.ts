import { chmodSync } from "node:fs";
import type { Sandbox } from "./sandbox.ts";

export const ITERATIONS = 4;

/**
 * A loop with one of everything that a kill can hit: turns that write, a guardrail (failing once), commits through a
 * slow hook, a check that passes only at the end, one session throughout, and a process that leaves its group.
 */
export function prepareLoop(box: Sandbox): string[] {
  box.initGit();
  box.write(".git/hooks/pre-commit", "#!/bin/sh\nsleep 0.3\n");
  chmodSync(box.path(".git/hooks/pre-commit"), 0o755);
  const settings = {
    agent: { command: "claude" },
    context: "continue",
    guardrails: [{ command: "sleep 0.1; test ! -e broken" }],
    verify: [`sleep 0.1; test -e work-${ITERATIONS}`],
    scm: { tasks: ["commit"] },
  };
  box.write(".ralph/settings.json", JSON.stringify(settings));
  // Otherwise Ralph writes it, and leaves it out of its commits.
  box.program("claude", CLAUDE);
  box.git("add", "--all");
  box.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "the task");
  return ["run", "--prompt", "Write all the files", "--json"];
}

const line = (event: object) => `printf '%s\\n' '${JSON.stringify(event).replace("$session", `'"$session"'`)}'`;

const says = (text: string) => line({ type: "assistant", message: { id: "m", content: [{ type: "text", text }] } });
const usage = { input_tokens: 100, output_tokens: 10 };
const DONE = line({ type: "result", subtype: "success", is_error: false, usage, total_cost_usd: 0.01 });

/** Prints Claude's stream, resumes the given session, and leaves a process behind in its own session. */
const CLAUDE = `\
[ "$1" != --version ] || exec echo 1.0.0
if [ "$RALPH_PURPOSE" = ask ]; then
  cat > /dev/null
  ${says("Write a file")}
  ${DONE}
  exit
fi
n=$RALPH_ITERATION
for session; do :; done
case "$*" in *--resume*) ;; *) session=s-$$ ;; esac
prompt=$(cat)
# Whoever was to give it is dead.
[ -n "$prompt" ] || exit 1
printf '%s\\0' "$prompt" >> "prompts-$n"
echo "$n $session" >> sessions
${line({ type: "system", subtype: "init", session_id: "$session", model: "m" })}
setsid sleep 300 > /dev/null 2>&1 &
sleep 0.08
if [ "$n" = 1 ]; then echo x > broken; else rm -f broken; fi
echo "process $$" > "work-$n"
sleep 0.04
${says("All files are there.\n\n<promise>DONE</promise>")}
${DONE}
`;
