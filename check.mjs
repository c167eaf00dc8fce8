// `npm run check`: every `check:…` script at the same time, so that one run reports every problem.
import { exec } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
for (const [name, command] of Object.entries(scripts).filter(([name]) => name.startsWith("check:"))) {
  exec(command, { maxBuffer: Number.POSITIVE_INFINITY }, (failed, stdout, stderr) => {
    process.stdout.write(`${failed ? "✗" : "✓"} ${name}\n${stdout}${stderr}`);
    if (failed) process.exitCode = 1;
  });
}
