// The entry stays small for a fast start: `--version` is answered here, hook events and the board have their own entry, and
// everything else is loaded on demand.
import { VERSION } from "../../core/version.ts";

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  process.stdout.write(`${VERSION}\n`);
} else if (args[0] === "hook" && args[1] === "event" && args[2] !== undefined && !args[2].startsWith("-")) {
  const { hookEvent } = await import("./hook-event.ts");
  process.exitCode = await hookEvent(args[2], process);
} else if (args.length === 1 && args[0] === "board") {
  const { startBoard } = await import("./start-board.ts");
  process.exitCode = await startBoard(process);
} else {
  const { runAndExit } = await import("./run-cli.ts");
  await runAndExit(args, process);
}
