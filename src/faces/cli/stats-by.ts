export const STATS_BY = ["task", "stage", "iteration"] as const;
/** What the rows of a table of statistics are. */
export type StatsBy = (typeof STATS_BY)[number];
