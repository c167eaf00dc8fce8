import { type Command, Option } from "commander";
import { IMPORT_FORMATS } from "../../../core/task/import-format.ts";
import { type Action, add } from "./action.ts";
import { nonEmptyText } from "./arguments.ts";

export function addImport(task: Command, action: Action): void {
  add(task, "import", "import tasks from a prd.json, a Markdown list, GitHub issues or YAML")
    .argument("<file>", "the file; `-` reads standard input", nonEmptyText)
    .option("--spec <id>", "the spec they belong to (default: what the file calls itself, else its name)", nonEmptyText)
    .addOption(new Option("--format <format>", "the file's format, if it cannot be detected").choices(IMPORT_FORMATS))
    .option("--dry-run", "show what would be imported; write nothing")
    .option("--json", "as JSON")
    .addHelpText("after", HELP)
    .action(action(async () => (await import("../commands/task-import.ts")).taskImportCommand));
}

const HELP = `
Formats:
  prd        {"userStories": [{"id", "title", "acceptanceCriteria", "priority", "passes", "dependsOn"}]}, also a plain
             list, "stories", or "features" with "steps"
  markdown   a checklist (- [ ] TASK-001: …, criteria indented below), or headings (### US-001: …) with acceptance criteria
  github     gh issue list --json number,title,body,labels,assignees,state
  yaml       what \`ralph task export\` writes and \`ralph task create --file\` reads

Finished entries (passes, ticked, closed) are skipped. Importing a file again adds only its new entries.

Examples:
  ralph task import prd.json --dry-run
  ralph task import docs/plan.md --spec checkout
  gh issue list --label ready --json number,title,body,labels,assignees,state,url | ralph task import - --spec issues`;
