// The same code behind the spellings of the pipeline documents.
import { main } from "./main.ts";
import { fromSpecflow } from "./specflow.ts";

process.exitCode = await main(fromSpecflow(process.argv.slice(2)));
