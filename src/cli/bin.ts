// The entry stays tiny: `--version` answers from here, everything else is loaded when it is asked for.
import { VERSION } from "../core/version.ts";

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runAndExit } = await import("./main.ts");
  await runAndExit(args);
}
