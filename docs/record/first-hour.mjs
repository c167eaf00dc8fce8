// What a new user types in the first hour, in order, in the sample project. The guides show what each step prints, and
// a test runs them all.

/** One command line each; `code` is its exit code if it is not 0. */
export const STEPS = [
  { name: "demo", command: "ralph demo" },
  { name: "init", command: "ralph init --yes" },
  { name: "run", command: 'ralph run "Make the tests pass"' },
  { name: "why", command: "ralph why" },
  { name: "commit", command: 'git add --all && git commit --quiet -m "Fix the cart"' },
  { name: "add", command: 'ralph task add "Free shipping from 50" --verify "node --test test/shipping.test.js"' },
  { name: "plan", command: "ralph execute --dry-run" },
  { name: "execute", command: "ralph execute" },
  { name: "report", command: "ralph report" },
];
