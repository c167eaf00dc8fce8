// The same code behind the spellings of the pipeline documents.
import { runAndExit } from "./own-process.ts";
import { fromSpecflow } from "./specflow.ts";

await runAndExit(fromSpecflow(process.argv.slice(2)));
