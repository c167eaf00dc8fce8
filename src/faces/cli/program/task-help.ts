/** Examples at the end of the help of spec and task commands. */
export const SPEC = `
Examples:
  ralph spec create auth-feature --title "Authentication" --file docs/auth.md
  ralph spec list
  ralph spec show auth-feature`;

export const TASK = `
Examples:
  ralph task add "Add a discount" --verify "npm test"
  ralph task create TASK-001 auth-feature "Implement login" --outcome "Users can log in" --acceptance "POST /login returns a token"
  ralph task create --file tasks.yaml --spec auth-feature
  ralph task list --ready
  ralph task show TASK-001`;

export const ADD = `
Done means: the commands of --verify pass, and those of \`verify\` in the settings. Conditions of --acceptance are decided
by a judge. Without any of these, only the word of its agents counts.

Examples:
  ralph task add "Add a discount" --verify "npm test"
  ralph task add "Add a discount" "Show it on the receipt" --scope "src/**" --scope "+test/**"
  ralph task add "Round the totals" --depends-on TASK-001 --priority 1 --description "Half a cent is rounded up."
  ralph task add < request.md                        its first line is the title, the rest the description`;

export const CREATE = `
Examples:
  ralph task create TASK-001 my-spec "Implement JWT auth" \\
    --outcome "All API endpoints require valid JWT tokens" \\
    --acceptance "Login endpoint returns valid JWT" \\
    --acceptance "Invalid tokens return 401" \\
    --coder-promise AUTH_IMPLEMENTED --coder-verify-cmd "npm test"
  ralph task create TASK-002 my-spec "Log out" --depends-on TASK-001 --outcome "Tokens can be revoked" --acceptance "POST /logout"
  ralph task create --file tasks.yaml --spec my-spec
  cat tasks.yaml | ralph task create --file -`;

export const FOLLOWUP = `
Example:
  ralph task followup TASK-003 TASK-001 "Rotate the keys" --outcome "Keys rotate daily" --acceptance "Old keys are refused"`;

export const LIST = `
Examples:
  ralph task list --spec my-spec
  ralph task list --status todo,blocked
  ralph task list --ready -n 5 --json`;

export const UPDATE = `
Examples:
  ralph task update TASK-001 --priority 1 --depends-on TASK-000
  ralph task update TASK-001 --acceptance "Invalid tokens return 401" --tester-verify-cmd "npm test"
  ralph task update TASK-001 --status todo         retry it: attempts count from 1, and a held task is released
  ralph task update TASK-001 --status cancelled    drop it
  ralph task update TASK-001 TASK-002 --status todo --verify "npm test"

Several tasks get the same change: all of them, or none if one cannot be changed. --acceptance and --verify replace what
they gave before. Every other status is set only by an execution.`;

export const ACCEPT = `
Shows each task with its criteria and the commands that it would run, and asks. \`ralph task delete\` drops a proposal.

Examples:
  ralph task list --status proposed
  ralph task accept TASK-007
  ralph task accept --all --yes --json`;

export const EXPORT = `
Examples:
  ralph task export --spec my-spec --output tasks.yaml
  ralph task export --format json | jq '.[].id'`;

export const IMPORT = `
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
