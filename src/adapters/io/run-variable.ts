/** Set for every process that a loop starts, so that processes that left their group can be found. */
export const RUN_VARIABLE = "RALPH_RUN";
