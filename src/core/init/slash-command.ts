import { TASK_EXAMPLE } from "./task-examples.ts";

export const SLASH_COMMAND = `---
description: Split a specification into tasks with completion criteria, and create them in Ralph
argument-hint: <spec id> [file or description]
allowed-tools: Read, Grep, Glob, Write, Bash(ralph:*), Bash(npx ralph:*)
---

Turn this into tasks that Ralph can run and merge: $ARGUMENTS

The first word is the id of the spec. The rest is a file to read, or a description. Read \`.ralph/tasks.md\` first: it says
how to write good criteria. Look at the repository before you write anything: the commands that you name must exist in
it.

## What every task needs

- \`outcome\`: one sentence with the measurable result of the task.
- \`acceptance_criteria\`: what must be true for that, one checkable statement each. If a command can decide it, give
  \`{ text, check }\` with that command.

A task without these two is refused: nothing could decide when it is done.

## Criteria for each agent

A task goes from \`coder\` to \`reviewer\`, \`tester\` and \`qa\`. For each of them you can set:

- \`promise\`: the text with which it claims completion. It only asks for verification.
- \`verification_method\`: how the promise is checked:
  - \`external\`: a command must exit 0. Prefer it wherever a command can decide.
  - \`semantic\`: a judge reads the change and decides on each line of \`check_for\`.
  - \`multi_stage\`: several of these, one after the other.
  - \`string_match\`: the promise alone. Use it only if nothing depends on the result.
- \`verification_config\`: the configuration of the method.

An agent without its own criteria is checked against the acceptance criteria.

## Size and order

- A task is one change that an agent can finish in one session. Split a task that takes more than three sentences.
- \`dependencies\` lists tasks that must be merged first, without cycles; \`priority\` 1 comes first.
- Ids are short and do not change: \`AUTH-001\`, \`AUTH-002\`.

## Example

\`\`\`yaml
${TASK_EXAMPLE}\`\`\`

## What to do now

1. Read the spec and the parts of the repository that it affects.
2. Write the tasks as YAML, in the form of the example, into \`tasks.yaml\`.
3. Run \`ralph task create --file tasks.yaml --spec <spec id>\` yourself (\`npx ralph\` if \`ralph\` is not found). It
   creates all tasks or none.
4. It reports errors with line and column. Fix the file and run it again until it is accepted. Never weaken a
   criterion to get it accepted.
5. A prd.json, a Markdown checklist or exported GitHub issues can be imported unchanged:
   \`ralph task import <file> --spec <spec id> --dry-run\` shows the resulting tasks.
6. Show the output of \`ralph task list --spec <spec id>\`, and list open questions of the spec. Do not start any task
   yourself.
`;
