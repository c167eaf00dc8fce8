import { TASK_EXAMPLE } from "./task-examples.ts";

export const SLASH_COMMAND = `---
description: Split a specification into tasks with completion criteria, and hand them to Ralph
argument-hint: <spec id> [file, or what is wanted]
allowed-tools: Read, Grep, Glob, Write, Bash(ralph:*), Bash(npx ralph:*)
---

Turn this into tasks that Ralph can bring home: $ARGUMENTS

The first word is the id of the spec. The rest names a file to read, or says what is wanted. Read \`.ralph/tasks.md\`
first: it says how criteria are written that hold. Look into the repository before you write anything: the commands
that you name have to exist in it.

## What every task needs

- \`outcome\`: one sentence that says what is the case when the task is done, so that it can be measured.
- \`acceptance_criteria\`: what must be true for that, one checkable statement each. Where a command can decide it, give
  \`{ text, check }\` with that command.

A task without these two is refused: nothing could decide when it is done.

## What each agent of a task can have

A task goes from \`coder\` to \`reviewer\`, \`tester\` and \`qa\`. For any of them you may give:

- \`promise\`: the word it says when it believes that it is done. It only asks for verification.
- \`verification_method\`: how the promise is checked:
  - \`external\`: a command has to exit 0. Prefer it wherever a command can decide.
  - \`semantic\`: a judge reads the change and decides on each line of \`check_for\`.
  - \`multi_stage\`: several of these, one after the other.
  - \`string_match\`: the promise alone. Only where nothing is at stake.
- \`verification_config\`: what the method needs to know.

An agent without criteria of its own is checked against the acceptance criteria.

## Size and order

- One task is one change that an agent finishes in a single sitting. Split what cannot be said in three sentences.
- \`dependencies\` names tasks that have to be merged before; \`priority\` 1 comes first. No circles.
- Ids are short and stay: \`AUTH-001\`, \`AUTH-002\`.

## Example

\`\`\`yaml
${TASK_EXAMPLE}\`\`\`

## What to do now

1. Read the spec, and those parts of the repository that it touches.
2. Write the tasks as YAML, in the form of the example, into \`tasks.yaml\`.
3. Run \`ralph task create --file tasks.yaml --spec <spec id>\` yourself (\`npx ralph\` where \`ralph\` is not found). It
   takes all tasks or none.
4. It reports errors with line and column. Fix the file and run it again until it is accepted. Never loosen a
   criterion to get it through.
5. A prd.json, a Markdown checklist or exported GitHub issues can be taken over as they are:
   \`ralph task import <file> --spec <spec id> --dry-run\` shows what would become of them.
6. Show the outcome of \`ralph task list --spec <spec id>\`, and name whatever the spec left open. Begin no task yourself.
`;
