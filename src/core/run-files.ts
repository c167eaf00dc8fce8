/** What a loop leaves in `.ralph/`, and the settings that are one person's alone: kept out of commits. */
export const RUN_PATTERNS: readonly string[] = ["guardrail_*.log", "settings.local.json"];
