// The same code behind the spellings of the pipeline documents.
import { runAndExit } from "./main.ts";
import { fromSpecflow } from "./specflow.ts";

await runAndExit(fromSpecflow(process.argv.slice(2)));
