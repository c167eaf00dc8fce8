const SPELLINGS: Record<string, readonly string[]> = {
  "ralph-status": ["status"],
  "ralph-cancel": ["cancel"],
  "task-add": ["task", "add"],
  "task-create": ["task", "create"],
  "task-followup": ["task", "followup"],
  "task-list": ["task", "list"],
  "list-tasks": ["task", "list"],
  "task-show": ["task", "show"],
  "task-update": ["task", "update"],
  "task-import": ["task", "import"],
  "task-export": ["task", "export"],
  "task-accept": ["task", "accept"],
  "task-delete": ["task", "delete"],
  "spec-create": ["spec", "create"],
  "spec-list": ["spec", "list"],
  "list-specs": ["spec", "list"],
  "spec-show": ["spec", "show"],
};

/** Converts a `specflow` command line to one of `ralph`. */
export function fromSpecflow([command = "--help", ...rest]: readonly string[]): string[] {
  return [...(SPELLINGS[command] ?? [command]), ...rest];
}
