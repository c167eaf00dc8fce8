// The same program with the command names of specflow.
import { runAndExit } from "./run-cli.ts";
import { fromSpecflow } from "./specflow.ts";

await runAndExit(fromSpecflow(process.argv.slice(2)), process);
