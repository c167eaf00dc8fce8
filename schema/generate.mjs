// Writes the JSON Schemas from the zod schemas, which are their only source. With --check: fails if one is stale.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");

const { settingsSchema, platformSettings, workflowSchema, toJSONSchema } = await bundled(
  `export { settingsSchema } from "./src/core/schema/settings.ts";
  export { platformSettings } from "./src/adapters/platforms/platforms.ts";
  export { workflowSchema } from "./src/core/schema/workflow.ts";
  export { toJSONSchema } from "zod";`,
);
const settings = jsonSchema(settingsSchema);
const { $schema: _, ...platforms } = jsonSchema(platformSettings());
settings.properties.platforms = platforms;
write("settings.schema.json", settings);
write("workflow.schema.json", jsonSchema(workflowSchema));

/** Uses the draft that editors support best. */
function jsonSchema(of) {
  return toJSONSchema(of, { target: "draft-7", io: "input", override: plain });
}

function write(name, schema) {
  const file = resolve(import.meta.dirname, name);
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    console.error(`schema/${name} is stale: run \`npm run schema\``);
    process.exitCode = 1;
  }
}

/** The largest safe integer is a limit of JavaScript, not of the schema. */
function plain({ jsonSchema }) {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Not every supported Node version can load TypeScript. */
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
