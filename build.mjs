// Builds dist/: the two commands (tiny entries, everything else split and loaded on demand), the scripted agent's
// player, the library and the plugin API with their types, the process that runs plugins, and the metafile in which a
// test checks what each entry includes.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

const { version, exports: exported } = JSON.parse(readFileSync("package.json", "utf8"));
const METAFILE = "dist/metafile.json";
const SETTINGS = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json", "build.mjs"];
const sources = sourcesHash("src", SETTINGS);
// Before esbuild is loaded: `npm install` and `npx` call this each time. A packed package is always built.
if (!process.argv.includes("--always") && builtFrom() === sources) {
  console.log("dist/ is up to date");
  process.exit();
}
const { build } = await import("esbuild");
rmSync("dist", { recursive: true, force: true });

// Files that are loaded on demand from another bundle, by the end of their path in an import.
const onDemand = (path, output) => ({
  name: output,
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`/${path}$`), namespace: "file" }, ({ kind }) =>
      kind === "dynamic-import" ? { path: `./${output}.js`, external: true } : undefined,
    ),
});
// What another bundle loads on demand comes from the main build.
const fromMain = ({ outputs }) => ({
  name: "from-main",
  setup({ onResolve }) {
    const built = new Map(Object.entries(outputs).map(([path, { entryPoint }]) => [entryPoint, path]));
    onResolve({ filter: /^\./, namespace: "file" }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const source = relative(".", resolve(resolveDir, path));
      const output = built.get(source);
      if (!output) throw new Error(`${source} is not loaded on demand in the main build`);
      return { path: `./${basename(output)}`, external: true };
    });
  },
});
// Making a segmenter or the pattern of all emoji takes as long as loading a short command, and most output needs neither:
// they are made on first use.
const LATE = {
  "const segmenter = new Intl.Segmenter();": "const segmenter = late(() => new Intl.Segmenter(), 'segment');",
  "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;":
    "const rgiEmojiRegex = late(() => new RegExp('^\\\\p{RGI_Emoji}$', 'v'), 'test');",
};
const LATELY =
  "const late = (make, method) => { let made; return { [method]: (text) => (made ??= make())[method](text) }; };";
const lateMeasuring = {
  name: "late-measuring",
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules\/string-width\/index\.js$/ }, ({ path }) => {
      let contents = `${LATELY}\n${readFileSync(path, "utf8")}`;
      for (const [made, late] of Object.entries(LATE)) {
        if (!contents.includes(made)) throw new Error(`${path} has no longer the line ${made}`);
        contents = contents.replace(made, () => late);
      }
      return { contents };
    }),
};
// The HTTP judge is a separate bundle: it includes all of zod, which every command would otherwise load.
const APART = "src/verify/judge/http-judge.ts";
// Hosts wait for `ralph hook event` after every turn: its own build has a few files instead of twenty chunks.
const HOOK_EVENT = "src/faces/cli/hook-event.ts";
// The board shows its first frame after loading one file instead of seventy chunks.
const BOARD = "src/faces/cli/start-board.ts";
const common = {
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  // Prefer ES modules: esbuild cannot follow the requires of jsonc-parser's CommonJS.
  mainFields: ["module", "main"],
  // Not bundled, because it loads its native part from its own folder.
  external: ["@photostructure/sqlite"],
  // Commander is CommonJS and requires Node's built-ins.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  define: { RALPH_VERSION: JSON.stringify(version), RALPH_CORE: JSON.stringify(sourcesHash("src/core").slice(0, 12)) },
  minifySyntax: true,
  minifyWhitespace: true,
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
    "hook-start": "src/doors/hook/library/start-child.ts",
    "hook-open": "src/doors/hook/open.ts",
  },
  splitting: true,
  plugins: [
    onDemand("judge/http-judge.ts", "http-judge"),
    onDemand("hook-event.ts", "hook-event"),
    onDemand("start-board.ts", "start-board"),
    lateMeasuring,
  ],
});
const { metafile: event } = await build({
  ...common,
  entryPoints: [HOOK_EVENT],
  splitting: true,
  plugins: [onDemand("doors/hook/open.ts", "hook-open")],
});
const { metafile: board } = await build({
  ...common,
  entryPoints: [BOARD],
  plugins: [fromMain(metafile), lateMeasuring],
});
// OpenCode's plugin may be copied elsewhere and runs in Bun, so it is one self-contained file.
const opencode = { opencode: "src/adapters/hosts/opencode/plugin.ts" };
const { metafile: plugin } = await build({ ...common, banner: {}, entryPoints: opencode });
// The dashboard, which `ralph serve` serves from memory. Its names have hashes, so that browsers may keep them.
const inBrowsers = {
  outdir: "dist/web",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  tsconfig: "src/faces/web/tsconfig.json",
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  metafile: true,
};
const { metafile: worker } = await build({ ...inBrowsers, entryPoints: { worker: "src/faces/web/worker.ts" } });
const workerFile = basename(Object.keys(worker.outputs)[0]);
const { metafile: web } = await build({
  ...inBrowsers,
  entryPoints: { page: "src/faces/web/page.tsx" },
  splitting: true,
  define: { RALPH_WORKER: JSON.stringify(workerFile) },
});
Object.assign(metafile.outputs, plugin.outputs, event.outputs, board.outputs, worker.outputs, web.outputs);
const { metafile: besides } = await build({ ...common, entryPoints: [APART], minify: true });
writeFileSync(
  "dist/THIRD-PARTY-NOTICES.txt",
  notices(Object.keys({ ...metafile.inputs, ...besides.inputs, ...web.inputs })),
);

for (const name of ["ralph", "specflow"]) {
  const path = `dist/${name}.js`;
  writeFileSync(path, `#!/usr/bin/env node\n${readFileSync(path, "utf8")}`);
  chmodSync(path, 0o755);
}
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
keepPublicTypes();
// Last: an interrupted build is not up to date.
writeFileSync(METAFILE, JSON.stringify({ ...metafile, sources }));

/** The digest of the sources that dist/ was built from; null if it is not complete. */
function builtFrom() {
  return existsSync(METAFILE) && existsSync("dist/ralph.js")
    ? JSON.parse(readFileSync(METAFILE, "utf8")).sources
    : null;
}

/** The digest of the sources in a folder, and of more files. */
function sourcesHash(folder, more = []) {
  const isSource = (name) => /(?<!\.test)\.(tsx?|css|json)$/.test(name);
  const inFolder = readdirSync(folder, { recursive: true }).filter(isSource).sort();
  const hash = createHash("sha256");
  for (const path of [...inFolder.map((name) => join(folder, name)), ...more])
    hash.update(path).update(readFileSync(path));
  return hash.digest("hex");
}

/** Keeps only the type declarations that the public API can reach. */
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

/** The licences of the bundled packages, which must be included. */
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
  // Some families of packages include the text in only one of them.
  const { license, author } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return `${license}: the text is included with the other packages of its family.${author ? ` ${author}` : ""}\n`;
}
