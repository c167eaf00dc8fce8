import { splitFlag } from "../../core/agent-spec.ts";
import { barePlain, type CommandRule, ruleOfAsked, ruleOfCheck } from "../../core/command-line/command-rules.ts";
import { plainCommands } from "../../core/command-line/plain-commands.ts";
import { isShellTool, type Refusals, type RefusedTool, refusedParts } from "../../core/refusals.ts";
import { hasFlag, valueIn, withoutFlags } from "./flags.ts";

/** What an agent must be allowed to use besides editing files. */
interface Needs {
  commands: readonly CommandRule[];
  /** Other tools by name. */
  tools: readonly string[];
  /** Commands that it was refused and that are never suggested. */
  unproposed: readonly string[];
}

/** Entries of `flags`, and what they allow. */
export interface Permission {
  flags: readonly string[];
  means: string;
}

/** The flags with which an agent works without asking. */
export interface Permissions {
  /** Edit files and run these commands; null if it has no flag short of everything. */
  work: ((needs: Needs) => Permission) | null;
  /** Everything: only in a sandbox. */
  everything: Permission;
  /** Flags that exclude each other: a new one replaces the others. */
  modes: readonly string[];
  /** How its flag names a command that it may run. */
  rule?: (command: string) => string;
}

const EDIT_TOOLS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit", "Bash"]);

const ANYTHING = "it may use every tool and run every command without asking: only in a sandbox";

/** It does not accept its flag for everything from root. */
const claudeEverything = (): string[] =>
  process.getuid?.() === 0
    ? ["--permission-mode acceptEdits", "--allowedTools Bash,Edit,Write,Read,WebFetch,WebSearch"]
    : ["--dangerously-skip-permissions"];

const shellRule = (command: string): string => `run_shell_command(${command})`;

/** These rules are beginnings of commands, so a command can be allowed only with any further arguments. */
function shellRules(commands: readonly CommandRule[]): string[] {
  const rules = commands.filter(({ exact }) => !exact).map(({ command }) => shellRule(command));
  return rules.length > 0 ? [`--allowed-tools ${rules.join(",")}`] : [];
}

/** The permissions of every known agent. */
export const PERMISSIONS = {
  claude: {
    work: ({ commands, tools }) => {
      const rules = [
        ...commands.map(({ command, exact }) => `Bash(${command}${exact ? "" : ":*"})`),
        ...tools.filter((tool) => /^\w+$/.test(tool) && !EDIT_TOOLS.has(tool)),
      ];
      return {
        flags: ["--permission-mode acceptEdits", ...(rules.length > 0 ? [`--allowedTools ${rules.join(",")}`] : [])],
        means: "its edits are accepted; of commands only these, unless claude's own settings allow more",
      };
    },
    get everything() {
      return { flags: claudeEverything(), means: ANYTHING };
    },
    modes: ["--permission-mode", "--dangerously-skip-permissions"],
    rule: (command) => `Bash(${command})`,
  },
  codex: {
    work: () => ({
      flags: ["-s workspace-write"],
      means: "it may write in this folder and run commands, in codex's own sandbox",
    }),
    everything: { flags: ["--dangerously-bypass-approvals-and-sandbox"], means: ANYTHING },
    modes: ["-s", "--sandbox", "--full-auto", "--dangerously-bypass-approvals-and-sandbox", "--yolo"],
  },
  amp: {
    work: null,
    everything: { flags: ["--dangerously-allow-all"], means: `amp has no milder flag; ${ANYTHING}` },
    modes: [],
  },
  gemini: {
    work: ({ commands }) => ({
      flags: ["--approval-mode auto_edit", "--skip-trust", ...shellRules(commands)],
      means: "its edits are accepted; of shell commands only these",
    }),
    everything: { flags: ["--yolo", "--skip-trust"], means: ANYTHING },
    modes: ["--approval-mode", "--yolo", "-y"],
    rule: shellRule,
  },
  opencode: {
    work: () => ({ flags: [], means: "inside its folder it needs no flag, unless opencode.json says otherwise" }),
    everything: { flags: ["--auto"], means: ANYTHING },
    modes: [],
  },
  qwen: {
    work: ({ commands }) => ({
      flags: ["--approval-mode auto-edit", ...shellRules(commands)],
      means: "its edits are accepted; of shell commands only these",
    }),
    everything: { flags: ["--yolo"], means: ANYTHING },
    modes: ["--approval-mode", "--yolo", "-y"],
    rule: shellRule,
  },
} satisfies Record<string, Permissions>;

/** What a loop with these checks needs, and what of the refused tools is suggested. */
export function needsOf(checks: readonly string[], refused: readonly RefusedTool[] = []): Needs {
  const own = checks.flatMap(plainCommands);
  const given = own.flatMap((command) => ruleOfCheck(command) ?? []);
  const parts = refused.map(refusedParts);
  const asked = parts.flatMap(({ command }) => (command === null ? [] : askedIn(command, given)));
  const rules = [...given, ...asked.flatMap(({ rule }) => rule ?? [])];
  return {
    commands: rules.filter(({ command }, place) => rules.findIndex((one) => one.command === command) === place),
    tools: parts.flatMap(({ name, command }) => (command === null && !isShellTool(name) ? [name] : [])),
    unproposed: [...new Set(asked.flatMap(({ rule, text }) => (rule === null ? [text] : [])))],
  };
}

/** The parts of a refused command, each with the rule that is suggested for it; a check's own command has one. */
function askedIn(line: string, given: readonly CommandRule[]): { text: string; rule: CommandRule | null }[] {
  const commands = plainCommands(line);
  const found = commands.flatMap((text) => {
    const bare = barePlain(text.split(" ")).join(" ");
    // Agents may change the folder and print without being asked.
    if (/^(cd|pwd|echo|true)\b/.test(bare)) return [];
    const own = given.find(({ command, exact }) => bare === command || (!exact && bare.startsWith(`${command} `)));
    return [{ text, rule: own ?? ruleOfAsked(text) }];
  });
  return commands.length > 0 ? found : [{ text: line, rule: null }];
}

/** The entries that an agent's flags lack to edit files and run these commands; null if it has no such flags. */
export function lackingForWork({ work, everything, modes }: Permissions, given: readonly string[], needs: Needs) {
  if (!work) return lacking(everything.flags, given).length > 0 ? null : [];
  if (given.some((flag) => UNLIMITED.has(flag))) return [];
  const mode = valueIn(given, modes);
  // A flag for a mode that is not known to be weak is the user's decision.
  const hasMode = hasFlag(given, modes) && !WEAK_MODES.has(mode ?? "");
  const rules = rulesIn(withoutFlags(given, ["--disallowedTools", "--disallowed-tools"], () => false).join(" "));
  return work(needs).flags.flatMap((entry) => {
    const [name = "", value] = splitFlag(entry);
    if (modes.includes(name)) return hasMode ? [] : [entry];
    if (value === undefined) return hasFlag(given, [name]) ? [] : [entry];
    const missing = rulesIn(value).filter((rule) => !rules.some((one) => covers(one, rule)));
    return missing.length > 0 ? [`${name} ${missing.map(({ text }) => text).join(",")}`] : [];
  });
}

const WEAK_MODES = new Set(["default", "plan", "read-only", "dontAsk"]);
const UNLIMITED = new Set([
  "--dangerously-skip-permissions",
  "bypassPermissions",
  "--dangerously-bypass-approvals-and-sandbox",
  "--yolo",
  "-y",
  "yolo",
]);

interface Rule {
  text: string;
  tool: string;
  /** The beginning of the commands that it allows; null: all. */
  prefix: string | null;
}

/** Rules such as `Bash(npm test:*)`, `run_shell_command(npm)` or `Edit`. */
const rulesIn = (text: string): Rule[] =>
  [...text.matchAll(/([A-Za-z_]\w*)(?:\(([^)]*)\))?/g)].map(([all, tool = "", command]) => {
    const prefix = command?.replace(/(:| )?\*$/, "").trim();
    return { text: all, tool, prefix: prefix || null };
  });

const covers = (given: Rule, wanted: Rule): boolean =>
  given.tool === wanted.tool &&
  (given.prefix === null || given.prefix === wanted.prefix || (wanted.prefix ?? "").startsWith(`${given.prefix} `));

/** The entries that the flags do not contain. */
const lacking = (flags: readonly string[], given: readonly string[]): string[] =>
  flags.filter((entry) => {
    const [name = "", value] = splitFlag(entry);
    return !hasFlag(given, [name]) || !(value ?? "").split(",").every((part) => given.join(" ").includes(part));
  });

/**
 * The flags to add so that the agent may do what it was refused; empty if it has none left. An agent that may edit is
 * never given everything because of a command.
 */
export function allowing(permissions: Permissions, given: readonly string[], needs: Needs): Omit<Refusals, "tools"> {
  const { rule, work } = permissions;
  const unproposed = rule && needs.unproposed.length > 0 ? { unproposed: needs.unproposed.map(rule) } : {};
  const milder = lackingForWork(permissions, given, needs) ?? [];
  if (milder.length > 0) return { allow: milder.flatMap(splitFlag), ...unproposed };
  if (work && needs.tools.length === 0) return { allow: [], ...unproposed };
  const all = lacking(permissions.everything.flags, given).flatMap(splitFlag);
  return all.length > 0 ? { allow: all, everything: true } : { allow: [] };
}
