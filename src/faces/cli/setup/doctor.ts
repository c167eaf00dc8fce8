import { existsSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { versions } from "node:process";
import { runProgram } from "../../../adapters/io/program.ts";
import { hasSupervisors } from "../../../adapters/io/supervisor.ts";
import { messageOf, RalphError } from "../../../core/errors.ts";
import { WORKFLOW_FOLDERS } from "../../../doors/workflow/file/folders.ts";
import { agentFindings } from "./doctor/agents.ts";
import { checksFinding } from "./doctor/checks.ts";
import type { DoctorFinding } from "./doctor/finding.ts";
import { hookFindings } from "./doctor/hooks.ts";
import { ignoreFinding } from "./doctor/ignored.ts";
import { permissionFindings } from "./doctor/permissions.ts";
import { choiceFinding, readableSettings } from "./doctor/settings.ts";
import { stateFindings } from "./doctor/state.ts";

/** Checks everything a loop needs, without changing anything. */
export async function examine(cwd: string): Promise<DoctorFinding[]> {
  const { finding, files } = await readableSettings(cwd);
  const groups = await Promise.all([
    machineFindings(cwd),
    stateFindings(cwd),
    [finding],
    files ? [choiceFinding(cwd, files)] : [],
    files ? permissionFindings(cwd, files) : [],
    files ? checksFinding(cwd, files) : [],
    agentFindings(cwd),
    ignoreFinding(cwd),
    workflowFindings(cwd),
    hookFindings(cwd),
  ]);
  return groups.flat();
}

const machineFindings = async (cwd: string): Promise<DoctorFinding[]> => [node(), await git(cwd), processes()];

function node(): DoctorFinding {
  const [major = 0, minor = 0] = versions.node.split(".").map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return {
    name: "node",
    is: ok ? "ok" : "problem",
    says: `v${versions.node}`,
    ...(ok ? {} : { hint: "install Node.js 20.19 or later" }),
  };
}

async function git(cwd: string): Promise<DoctorFinding> {
  const { code, stdout } = await runProgram({ file: "git", args: ["--version"], cwd });
  if (code === 0) return { name: "git", is: "ok", says: stdout.trim() };
  return { name: "git", is: "warning", says: "not found", hint: "loops run without it; commits and diffs need it" };
}

function processes(): DoctorFinding {
  const name = "processes";
  const os = platform();
  if (os === "win32") return { name, is: "problem", says: "win32 has no process groups", hint: "use WSL" };
  if (hasSupervisors()) return { name, is: "ok", says: `${os}: all that an agent or a check leaves running is found` };
  const says = `${os}: of what an agent or a check leaves running, only processes with Ralph's variables are found`;
  return os === "linux"
    ? { name, is: "warning", says, hint: "install Perl (/usr/bin/perl)" }
    : { name, is: "ok", says };
}

const NAME = "workflows";

/** Whether the workflows of a folder are valid; nothing if there are none. Their reader is loaded only if needed. */
async function workflowFindings(cwd: string): Promise<DoctorFinding[]> {
  if (!WORKFLOW_FOLDERS.some((folder) => existsSync(join(cwd, folder)))) return [];
  const { loadWorkflows } = await import("../../../doors/workflow/file/files.ts");
  try {
    const { workflows, faulty } = await loadWorkflows(cwd);
    const names = workflows.map(({ name }) => name).join(", ") || "none";
    if (faulty.length === 0) return [{ name: NAME, is: "ok", says: names }];
    const files = faulty.map(({ file }) => file).join(", ");
    const hint = "`ralph workflow validate` shows what is wrong, and how to fix it";
    return [{ name: NAME, is: "warning", says: `${names}; with faults: ${files}`, hint }];
  } catch (error) {
    const hint = error instanceof RalphError ? error.hint : undefined;
    return [{ name: NAME, is: "warning", says: messageOf(error), ...(hint === undefined ? {} : { hint }) }];
  }
}
