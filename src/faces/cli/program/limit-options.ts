/** Limits as the command line gives them: `--maximum-iterations` is another spelling, times are in seconds. */
export interface LimitOptions {
  maxIterations?: number;
  maximumIterations?: number;
  maxCost?: number;
  maxTokens?: number;
  timeout?: number;
  stuckAfter?: number;
}
