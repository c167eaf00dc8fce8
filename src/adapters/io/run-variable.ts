/** The variable that marks every process a loop starts, so that the ones that left their group are found again. */
export const RUN_VARIABLE = "RALPH_RUN";
