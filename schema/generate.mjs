// Writes the JSON Schemas from the zod schemas, which are their only source. With --check: fails where one is stale.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");

const { settingsSchema, workflowSchema, toJSONSchema } = await bundled(
  `export { settingsSchema } from "./src/core/schema/settings.ts";
  export { workflowSchema } from "./src/core/schema/workflow.ts";
  export { toJSONSchema } from "zod";`,
);
write("settings.schema.json", settingsSchema);
write("workflow.schema.json", workflowSchema);

function write(name, of) {
  const file = resolve(import.meta.dirname, name);
  // Editors know this draft best.
  const schema = toJSONSchema(of, { target: "draft-7", io: "input", override: plain });
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error(`schema/${name} is stale: run \`npm run schema\``);
    process.exitCode = 1;
  }
}

/** The largest safe integer is JavaScript's limit, not ours. */
function plain({ jsonSchema }) {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** The sources are TypeScript, which not every Node that we support can load. */
async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
