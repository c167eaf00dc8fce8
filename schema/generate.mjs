// Writes settings.schema.json from the zod schema, which is its only source. With --check: fails where it is stale.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const file = resolve(import.meta.dirname, "settings.schema.json");

const { settingsSchema, toJSONSchema } = await bundled(
  'export { settingsSchema } from "./src/core/schema/settings.ts"; export { toJSONSchema } from "zod";',
);
// Editors know this draft best.
const schema = toJSONSchema(settingsSchema, { target: "draft-7", io: "input", override: plain });
const text = `${JSON.stringify(schema, null, 2)}\n`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("schema/settings.schema.json is stale: run `npm run schema`");
  process.exitCode = 1;
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
