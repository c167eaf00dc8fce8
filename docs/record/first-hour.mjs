// What a new user types in the first hour, in order, in the sample project. The guides show what each step prints, and
// a test runs them all.

/** One command line each; `code` is its exit code if it is not 0. */
export const STEPS = [
  { name: "init", command: "ralph init --yes" },
  { name: "run", command: 'ralph run --prompt "Make the tests pass"' },
  { name: "why", command: "ralph why" },
];
