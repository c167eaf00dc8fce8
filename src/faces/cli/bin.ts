// The entry stays tiny: `--version` answers from here, and what hosts wait for has a way of its own; everything else is
// loaded when it is asked for.
import { VERSION } from "../../core/version.ts";

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  process.stdout.write(`${VERSION}\n`);
} else if (args[0] === "hook" && args[1] === "event" && args[2] !== undefined && !args[2].startsWith("-")) {
  const { hookEvent } = await import("./hook-event.ts");
  await hookEvent(args[2]);
} else {
  const { runAndExit } = await import("./own-process.ts");
  await runAndExit(args);
}
