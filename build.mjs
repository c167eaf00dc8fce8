// Builds dist/: the two commands (tiny entries, everything else split and loaded on demand), the scripted agent's
// player, the library and the interface of plugins with their types, the process that plugins run in, and the metafile
// from which a test reads what each entry pulls in.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";

const { version, exports: exported } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist", { recursive: true, force: true });

// What asks models over HTTP is a bundle of its own: it brings all of zod, which every command would load with its own part.
const APART = "src/verify/semantic/http-judge.ts";
const apart = {
  name: "apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/semantic\/http-judge\.ts$/ }, () => ({ path: "./http-judge.js", external: true })),
};
const common = {
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Of packages that offer both: esbuild cannot follow the requires of jsonc-parser's CommonJS.
  mainFields: ["module", "main"],
  // Left where npm put it: it finds its native part beside itself.
  external: ["@photostructure/sqlite"],
  // Commander is CommonJS inside and asks for Node's built-ins through require.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  define: { RALPH_VERSION: JSON.stringify(version) },
  minifySyntax: true,
  legalComments: "none",
  metafile: true,
};

const { metafile } = await build({
  ...common,
  entryPoints: {
    ralph: "src/faces/cli/bin.ts",
    specflow: "src/faces/cli/specflow-bin.ts",
    // For programs that run commands in their own process: our tests.
    cli: "src/faces/cli/run-cli.ts",
    scripted: "src/adapters/agents/scripted/player.ts",
    index: "src/index.ts",
    plugin: "src/adapters/plugin/index.ts",
    "plugin-runner": "src/adapters/plugin/runner.ts",
    "plugin-hooks": "src/adapters/plugin/hooks.ts",
    hook: "src/doors/hook/library/library.ts",
    "hook-start": "src/doors/hook/library/start-program.ts",
  },
  splitting: true,
  plugins: [apart],
});
// OpenCode's plugin may be copied to where its neighbours are not, and runs in Bun: it is one file, and needs nothing else.
const opencode = { opencode: "src/adapters/hosts/opencode/plugin.ts" };
const { metafile: plugin } = await build({ ...common, banner: {}, entryPoints: opencode });
Object.assign(metafile.outputs, plugin.outputs);
const { metafile: besides } = await build({ ...common, entryPoints: [APART], minify: true });
writeFileSync("dist/metafile.json", JSON.stringify(metafile));
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", notices(Object.keys({ ...metafile.inputs, ...besides.inputs })));

for (const name of ["ralph", "specflow"]) {
  const path = `dist/${name}.js`;
  writeFileSync(path, `#!/usr/bin/env node\n${readFileSync(path, "utf8")}`);
  chmodSync(path, 0o755);
}
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
keepPublicTypes();

/** Of the types that were made, those that whoever imports us can reach; the rest is nobody's business. */
function keepPublicTypes() {
  const root = resolve("dist/types");
  const reached = new Set();
  const reach = (path) => {
    if (reached.has(path)) return;
    reached.add(path);
    const imports = readFileSync(path, "utf8").matchAll(/(?:from |import\()"(\.[^"]+?)(?:\.[jt]s)?"/g);
    for (const [, name] of imports) reach(resolve(dirname(path), `${name}.d.ts`));
  };
  for (const { types } of Object.values(exported)) if (types) reach(resolve(types));
  for (const name of readdirSync(root, { recursive: true })) {
    const path = join(root, name);
    if (name.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
  }
}

/** The licences of the packages that are bundled, which have to travel with them. */
function notices(inputs) {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)]
    .sort()
    .map((name) => `${name}\n\n${licence(`node_modules/${name}`)}`)
    .join("\n----\n\n");
}

function licence(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name));
  if (file) return readFileSync(`${folder}/${file}`, "utf8");
  // Some packages of a family carry the text only in one of them.
  const { license, author } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return `${license}: the text stands with the other packages of its family.${author ? ` ${author}` : ""}\n`;
}
