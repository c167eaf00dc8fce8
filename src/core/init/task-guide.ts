import { METHOD_EXAMPLES, SMALL_EXAMPLE } from "./task-examples.ts";

const yaml = (text: string): string => `\`\`\`yaml\n${text}\`\`\``;

export const TASK_GUIDE = `# Writing tasks for Ralph

For agents and people who write tasks. Ralph runs an agent in a loop until the criteria of the task are *proven*; a task
is as good as its criteria.

## A minimal task

${yaml(SMALL_EXAMPLE)}

\`ralph task create --file tasks.yaml --spec <id>\` creates all tasks of a file or none.

## Good criteria

- **Measurable.** "Answers in under 200 ms for 1,000 rows", not "is fast". Two people must agree on the result.
- **Checkable by a command.** For every criterion, ask which command would fail if it were not met. Give that command as
  the \`check\` of the criterion or in \`verification_config\`. Use a judge for what no command can decide.
- **Red first.** A check that passes before any work proves nothing. Name a test that does not exist yet, and set
  \`require_red_first: true\`: Ralph then refuses to start if it already passes.
- **A result, not an activity.** "Every route answers 401 without a token", not "add middleware".
- **One thing each.** A criterion that contains "and" is two criteria.
- **Out of the agent's reach.** Ralph protects tests and other files that decide completion; a claim of an agent that
  weakens them is refused. Protect further files with \`protect\`.

| instead of | write |
|---|---|
| works correctly | \`npm test -- test/cart.test.js\` exits 0 |
| handle errors | a request with a broken body is answered with 400 and a message that names the field |
| good coverage | \`pytest --cov=src --cov-fail-under=80\` exits 0 |
| clean code | \`npm run lint\` exits 0 |
| update the docs | README.md lists the option \`--json\` |

## The four methods

\`external\`: a command must exit with 0 (or \`success_exit_code\`); its output can be checked too.

${yaml(METHOD_EXAMPLES.external)}

\`semantic\`: a judge reads the change and decides on every line of \`check_for\`, with quotes. \`negative_patterns\` reject a
claim without a judge.

${yaml(METHOD_EXAMPLES.semantic)}

\`multi_stage\`: several stages in order, up to the first required one that fails. \`{{acceptance_criteria}}\` is replaced by
those of the task.

${yaml(METHOD_EXAMPLES.multi_stage)}

\`string_match\`: the promise alone. It proves nothing; use it only if nothing depends on the result.

${yaml(METHOD_EXAMPLES.string_match)}

## Errors

These are refused:

- a task without \`outcome\` or without a single acceptance criterion
- \`external\` without \`command\`, \`multi_stage\` without \`stages\`, an unknown method
- unknown keys (for a typo, the error suggests the correct key)
- ids with anything but letters, digits, \`.\`, \`_\` and \`-\`; an id that already exists, or occurs twice in the file
- dependencies on tasks that do not exist, and dependency cycles

Every error is reported with its line and column, and no task is created until all are fixed. Fix the file; do not weaken
a criterion to get it accepted.
`;
