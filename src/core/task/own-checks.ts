import type { AcceptanceCriterion } from "../schema/criteria.ts";

/** The acceptance criterion that `--verify` makes of a command. */
export const checkCriterion = (command: string) => ({ text: `${command} passes`, check: command });

const isOfVerify = (item: AcceptanceCriterion): boolean =>
  typeof item !== "string" && item.check !== undefined && item.text === checkCriterion(item.check).text;

interface CriteriaChange {
  /** Replace the criteria without a command of their own. */
  acceptance?: readonly string[] | undefined;
  /** Replace the commands of an earlier `--verify`. */
  verify?: readonly string[] | undefined;
}

/** The acceptance criteria after a change by flags: each flag replaces only what it once gave. */
export function changedCriteria(
  before: readonly AcceptanceCriterion[],
  { acceptance, verify }: CriteriaChange,
): readonly AcceptanceCriterion[] {
  return [
    ...(acceptance ?? before.filter((item) => !isOfVerify(item))),
    ...(verify?.map(checkCriterion) ?? before.filter(isOfVerify)),
  ];
}
