import { platform } from "node:os";
import { versions } from "node:process";
import { runProgram } from "../../../../adapters/io/program.ts";
import type { DoctorFinding } from "./finding.ts";

export const machineFindings = async (cwd: string): Promise<DoctorFinding[]> => [node(), await git(cwd), processes()];

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
  return { name: "git", is: "warning", says: "not found", hint: "loops run without it; commits and diffs do not" };
}

function processes(): DoctorFinding {
  if (platform() !== "win32") return { name: "processes", is: "ok", says: `${platform()}: groups and watchdog` };
  return { name: "processes", is: "problem", says: "win32 has no process groups", hint: "use WSL" };
}
