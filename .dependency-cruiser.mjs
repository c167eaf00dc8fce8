// One table: which floor may import which, from the ground up. A folder that is missing here fails the check.
const adapters = (...names) => names.map((name) => `adapters/${name}`);
const doors = (...names) => names.map((name) => `doors/${name}`);

const ground = ["core", "engine"];
const world = adapters("io", "git", "store", "agents", "hosts", "platforms", "plugin", "settings");
const below = [...ground, ...world, "verify", "runtime"];
const allDoors = doors("harness", "pipeline", "workflow", "hook", "chat");

const floors = {
  core: [],
  engine: ["core"],
  "adapters/io": ["core"],
  "adapters/git": ["core", ...adapters("io")],
  "adapters/store": ["core", ...adapters("io")],
  "adapters/agents": ["core", ...adapters("io")],
  "adapters/hosts": ["core", ...adapters("io", "agents")],
  "adapters/platforms": ["core", ...adapters("io")],
  "adapters/plugin": ["core"],
  // The settings contain those of every platform, which check their own.
  "adapters/settings": ["core", ...adapters("io", "platforms")],
  verify: [...ground, ...world],
  runtime: [...ground, ...world, "verify"],
  "doors/harness": below,
  "doors/pipeline": below,
  "doors/workflow": below,
  "doors/hook": below,
  // A message starts a workflow.
  "doors/chat": [...below, ...doors("workflow")],
  "faces/server": [...below, ...allDoors],
  "faces/web": ["core"],
  // What the command line and the board share: cells, colours, keys.
  "faces/terminal": ["core"],
  "faces/board": [...below, ...allDoors, "faces/terminal"],
  "faces/cli": [...below, ...allDoors, "faces/server", "faces/terminal", "faces/board"],
};
const names = Object.keys(floors);
const onFloor = (name) => `^src/${name}/`;

const forbidden = [
  { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
  {
    name: "known-floors-only",
    severity: "error",
    from: { path: "^src/", pathNot: [...names.map(onFloor), "^src/index\\.ts$"] },
    to: {},
  },
  {
    name: "pure-floors",
    severity: "error",
    from: { path: "^src/(core|engine)/", pathNot: "\\.test\\.ts$" },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "processes-in-io",
    severity: "error",
    from: { path: "^src/", pathNot: ["^src/adapters/io/", "\\.test\\.ts$"] },
    to: { path: "^(node:)?child_process$" },
  },
  {
    name: "zod-in-schema",
    severity: "error",
    from: { path: "^src/core/", pathNot: ["^src/core/schema/", "\\.test\\.ts$"] },
    to: { path: "node_modules" },
  },
  { name: "no-orphans", severity: "error", from: { orphan: true, path: "^src/", pathNot: "^src/index\\.ts$" }, to: {} },
  ...names.map((floor) => ({
    name: `${floor}-imports`,
    comment: `${floor} may import ${floors[floor].join(", ") || "nothing but itself"}`,
    severity: "error",
    from: { path: onFloor(floor), pathNot: "\\.test\\.ts$" },
    to: { path: "^src/", pathNot: [floor, ...floors[floor]].map(onFloor) },
  })),
];

export default {
  forbidden,
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    exclude: { path: "^dist/" },
  },
};
