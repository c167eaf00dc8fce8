// The same program with the command names of specflow.
import { runAndExit } from "./own-process.ts";
import { fromSpecflow } from "./specflow.ts";

await runAndExit(fromSpecflow(process.argv.slice(2)));
