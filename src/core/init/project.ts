/** What detection may look at. Nothing of what it reads ends up in a command: file contents are untrusted. */
export interface Project {
  has(file: string): boolean;
  /** In this folder, or in one above it within the repository, as lock files of workspaces are. */
  hasAbove(file: string): boolean;
  read(file: string): string;
  runs(program: string): boolean;
}

/** What a command of the project is for. `check` looks at the code without running it, types first. */
export type Role = "test" | "lint" | "check" | "build";

export interface FoundCommand {
  role: Role;
  command: string;
  from: string;
}
