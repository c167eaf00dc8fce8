import { METHOD_EXAMPLES, SMALL_EXAMPLE } from "./task-examples.ts";

const yaml = (text: string): string => `\`\`\`yaml\n${text}\`\`\``;

export const TASK_GUIDE = `# Writing tasks for Ralph

For agents and people who write tasks down. Ralph runs an agent in a loop until what is written here is *proven*; a
task is as good as its criteria.

## The least that is needed

${yaml(SMALL_EXAMPLE)}

\`ralph task create --file tasks.yaml --spec <id>\` takes all tasks of a file or none.

## Good criteria

- **Measurable.** "Answers in under 200 ms for 1,000 rows", not "is fast". Two people must come to the same answer.
- **Checkable by a command.** Ask of every criterion: which command would fail if it were not met? Give that command, as
  the \`check\` of the criterion or in \`verification_config\`. A judge is for what no command can decide.
- **Red first.** A check that passes before any work proves nothing. Name a test that does not exist yet, and set
  \`require_red_first: true\`: Ralph then refuses to begin where it passes already.
- **About what is the case, not about work.** "Every route answers 401 without a token", not "add middleware".
- **One thing each.** A criterion with an "and" in it is two.
- **Out of reach.** Ralph guards tests and the files that decide; an agent that weakens them is turned back. Name further
  files with \`protect\`.

| instead of | write |
|---|---|
| works correctly | \`npm test -- test/cart.test.js\` exits 0 |
| handle errors | a request with a broken body is answered with 400 and a message that names the field |
| good coverage | \`pytest --cov=src --cov-fail-under=80\` exits 0 |
| clean code | \`npm run lint\` exits 0 |
| update the docs | README.md lists the option \`--json\` |

## The four methods

\`external\`: a command has to exit with 0 (or \`success_exit_code\`), and its output can be looked at.

${yaml(METHOD_EXAMPLES.external)}

\`semantic\`: a judge reads the change and decides on every line of \`check_for\`, with quotes. \`negative_patterns\` reject a
claim without asking it.

${yaml(METHOD_EXAMPLES.semantic)}

\`multi_stage\`: several in order; the first required one that fails ends it. \`{{acceptance_criteria}}\` is replaced by those of
the task.

${yaml(METHOD_EXAMPLES.multi_stage)}

\`string_match\`: the promise alone. It proves nothing; use it only where nothing is at stake.

${yaml(METHOD_EXAMPLES.string_match)}

## What is refused

- a task without \`outcome\` or without a single acceptance criterion
- \`external\` without \`command\`, \`multi_stage\` without \`stages\`, a method that does not exist
- keys that are not known (for a typo the error names the key that was meant)
- ids with anything but letters, digits, \`.\`, \`_\` and \`-\`; an id that is there already, or twice in the file
- dependencies on tasks that are not there, and circles of them

Every error is reported with its line and column, and nothing is written until all are fixed. Fix the file; do not make a
criterion weaker to get it through.
`;
