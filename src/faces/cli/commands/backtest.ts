import { openWorkspace } from "../../../adapters/store/workspace.ts";
import type { ReplayLimits } from "../../../core/backtest.ts";
import { EXIT } from "../../../core/errors.ts";
import { backtest } from "../backtest.ts";
import { backtestLines, savingsOf } from "../backtest-lines.ts";
import type { LimitOptions } from "../limit-options.ts";
import { printJson, printLine } from "../print.ts";

interface BacktestOptions extends LimitOptions {
  json?: boolean;
}

/** `ralph backtest`. */
export async function backtestCommand(wanted: readonly string[], options: BacktestOptions): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    const result = await backtest(workspace, wanted, limitsOf(options));
    if (options.json) printJson({ ...result, totals: savingsOf(result.loops) });
    else for (const line of backtestLines(result)) printLine(line);
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}

function limitsOf(options: BacktestOptions): ReplayLimits {
  const maxIterations = options.maxIterations ?? options.maximumIterations;
  return {
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(options.maxCost === undefined ? {} : { maxCostUsd: options.maxCost }),
    ...(options.maxTokens === undefined ? {} : { maxTokens: options.maxTokens }),
    ...(options.timeout === undefined ? {} : { maxMs: options.timeout * 1_000 }),
    ...(options.stuckAfter === undefined ? {} : { stuckAfter: options.stuckAfter || null }),
  };
}
