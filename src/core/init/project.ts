/** The files that detection reads. Their contents are untrusted and never become part of a command. */
export interface Project {
  has(file: string): boolean;
  /** In this folder, or in a parent folder within the repository, like the lock file of a workspace. */
  hasAbove(file: string): boolean;
  read(file: string): string;
  /** The paths of its files, without those that are installed or generated. */
  files(): readonly string[];
  runs(program: string): boolean;
}

/** The purpose of a project command. `check` analyses the code without running it, types first. */
export type Role = "test" | "lint" | "check" | "build";

export interface FoundCommand {
  role: Role;
  command: string;
  from: string;
}
