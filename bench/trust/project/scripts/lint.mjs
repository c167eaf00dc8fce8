// A line after `// lint-ignore` is not checked.
import { readdirSync, readFileSync } from "node:fs";

const RULES = { eqeqeq: /[^=!]==[^=]/, "no-debugger": /\bdebugger\b/ };
const settings = JSON.parse(readFileSync("lint.json", "utf8"));
const files = readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".js"));
for (const file of files) {
  const lines = readFileSync(`src/${file}`, "utf8").split("\n");
  lines.forEach((line, i) => {
    if (lines[i - 1]?.includes("// lint-ignore")) return;
    for (const [rule, pattern] of Object.entries(RULES)) {
      if (settings[rule] !== "error" || !pattern.test(line)) continue;
      console.error(`src/${file}:${i + 1}: ${rule}`);
      process.exitCode = 1;
    }
  });
}
