import { MOST_FAILURES, type TestNames } from "./tally.ts";

/** The tests that failed, by name and in the order they ran; at most 50. */
export const failedNames = ({ tests, failed = [] }: TestNames): string[] => {
  const named = Object.entries(tests).flatMap(([name, [, times]]) => (times > 0 ? [name] : []));
  return (named.length > 0 ? named : failed).slice(0, MOST_FAILURES);
};
