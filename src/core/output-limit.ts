/** The variable with the maximum number of characters that a started `ralph` prints. */
export const OUTPUT_LIMIT = "RALPH_OUTPUT_LIMIT";
