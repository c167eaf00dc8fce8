import { inWorkspace } from "../../../adapters/store/workspace.ts";
import type { ReplayLimits } from "../../../core/backtest.ts";
import type { Cli } from "../context.ts";
import type { LimitOptions } from "../program/arguments.ts";
import { backtest } from "../views/backtest.ts";
import { backtestLines, savingsOf } from "../views/backtest-lines.ts";

interface BacktestOptions extends LimitOptions {
  json?: boolean;
}

export async function backtestCommand(cli: Cli, wanted: readonly string[], options: BacktestOptions): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const result = await backtest(workspace, wanted, limitsOf(options));
    if (options.json) cli.printJson({ ...result, totals: savingsOf(result.loops) });
    else for (const line of backtestLines(result, cli.width())) cli.printLine(line);
  });
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
