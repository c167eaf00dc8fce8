// One table: which room may import which. A room that is missing here fails the check.
const rooms = {
  core: [],
  io: ["core"],
  git: ["core", "io"],
  agents: ["core", "io"],
  verify: ["core", "io"],
  store: ["core", "io"],
  engine: ["core"],
  harness: ["core", "engine"],
  pipeline: ["core", "engine"],
  workflow: ["core", "engine"],
  hook: ["core", "engine"],
  hosts: ["core", "io", "agents"],
  platforms: ["core", "io"],
  plugin: ["core"],
  wire: [
    "core",
    "io",
    "git",
    "agents",
    "verify",
    "store",
    "engine",
    "harness",
    "pipeline",
    "workflow",
    "hook",
    "hosts",
    "platforms",
    "plugin",
  ],
  server: ["core", "wire"],
  cli: ["core", "wire", "server", "hosts"],
};
const names = Object.keys(rooms);
const inRoom = (name) => `^src/${name}/`;

const forbidden = [
  { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
  {
    name: "known-rooms-only",
    severity: "error",
    from: { path: "^src/", pathNot: [...names.map(inRoom), "^src/index\\.ts$"] },
    to: {},
  },
  {
    name: "pure-rooms",
    severity: "error",
    from: { path: "^src/(core|engine)/", pathNot: "\\.test\\.ts$" },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "processes-in-io",
    severity: "error",
    from: { path: "^src/", pathNot: ["^src/io/", "\\.test\\.ts$"] },
    to: { path: "^(node:)?child_process$" },
  },
  {
    name: "loop-and-claim-without-zod",
    severity: "error",
    from: { path: "^src/core/", pathNot: ["^src/core/schema/", "\\.test\\.ts$"] },
    to: { path: "node_modules" },
  },
  { name: "no-orphans", severity: "error", from: { orphan: true, path: "^src/", pathNot: "^src/index\\.ts$" }, to: {} },
  ...names.map((room) => ({
    name: `${room}-imports`,
    comment: `${room} may import ${rooms[room].join(", ") || "nothing but itself"}`,
    severity: "error",
    from: { path: inRoom(room), pathNot: "\\.test\\.ts$" },
    to: { path: "^src/", pathNot: [room, ...rooms[room]].map(inRoom) },
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
