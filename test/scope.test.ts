import { expect, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";
const FIX = "echo 'export const add = (a, b) => a + b;' > src/add.js";
const TEST = `import test from "node:test";
import assert from "node:assert";
import { add } from "../src/add.js";
test("adds", () => assert.equal(add(1, 2), 3));
`;
const SCOPE = ["src/**", "!src/generated/**", "+test/**"];
const FILES = {
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}\n',
  "src/add.js": "export const add = (a, b) => a - b;\n",
  "src/generated/api.js": "export const api = 1;\n",
  "test/add.test.js": TEST,
  "golden.txt": "3\n",
  "data/want.txt": "3\n",
  ".gitignore": "ignored/\n",
};

const COMMIT = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m"];

/** A submodule at `vendor/lib`, and a repository at `mine` that git does not track. */
function nestRepositories(box: Sandbox): void {
  for (const path of ["vendor/lib", "mine"]) {
    box.write(`${path}/a.txt`, "one\n");
    box.git("init", "--quiet", path);
    box.git("-C", path, "add", "--all");
    box.git("-C", path, ...COMMIT, "files");
  }
  box.git("update-index", "--add", "vendor/lib");
}

/** A project with a failing test, and an agent that fixes it and does something else. */
function project(work: string, criteria: object = {}): Sandbox {
  const box = sandbox();
  box.initGit();
  for (const [name, content] of Object.entries(FILES)) box.write(name, content);
  box.write("ignored/cache.txt", "old\n");
  box.git("add", "--all");
  if (/vendor|mine/.test(work)) nestRepositories(box);
  box.git("commit", "--quiet", "-m", "files");
  // Not committed, and there before the loop.
  box.write("notes.txt", "mine\n");
  const completion = { scope: SCOPE, baseline: true, ...criteria };
  box.write(".ralph/settings.json", JSON.stringify({ completion }));
  box.program("agent", `printf '%s' "$1" > ../prompt-$RALPH_ITERATION\n${FIX}\n${work}\necho '${DONE}'`);
  return box;
}

const run = (box: Sandbox, ...args: string[]) =>
  box.ralph("run", "--prompt", "Fix add", "--agent", "agent", "--verify", "node --test", "-m", "2", ...args);

const SUBMODULE = "git init -q nested && git -C nested -c user.name=a -c user.email=a@b commit -q --allow-empty -m x";

/** Gives the folder `data` of the start the content that it has afterwards. */
const POISON = `cp -r .git ../other; before=$(git rev-parse HEAD:data); cp -r data ../want; echo x >> ../want/want.txt
blob=$(GIT_DIR=$PWD/../other git hash-object -w ../want/want.txt)
after=$(printf "100644 blob $blob\\twant.txt\\n" | GIT_DIR=$PWD/../other git mktree)
place() { echo "$1" | sed 's#^..#&/#'; }
chmod u+w .git/objects/$(place $before); cp -f ../other/objects/$(place $after) .git/objects/$(place $before)`;

/** What an agent does besides its work, and the words by which the veto names it. */
const OUTSIDE: [string, string, RegExp][] = [
  ["change a file", "echo x >> golden.txt", /golden\.txt \(changed\)/],
  ["delete a file", "rm golden.txt", /golden\.txt \(deleted\)/],
  ["add a file", "echo x > vitest.config.js", /vitest\.config\.js \(added\)/],
  ["change a mode", "chmod +x golden.txt", /golden\.txt \(made executable\)/],
  ["rename a file", "git mv golden.txt other.txt", /golden\.txt \(deleted\).*other\.txt \(added\)/],
  ["move a file into the scope", "mv golden.txt src/golden.txt", /golden\.txt \(deleted\)/],
  ["rename by case only", "mv golden.txt Golden.txt", /Golden\.txt \(added\).*golden\.txt \(deleted\)/],
  ["replace a file by a link", "ln -sf src/add.js golden.txt", /golden\.txt \(became a symlink\)/],
  ["replace a file by a folder", "rm golden.txt; mkdir golden.txt; echo x > golden.txt/a", /golden\.txt\/a \(added\)/],
  ["change a test where tests may only be added", "echo '// x' >> test/add.test.js", /test\/add\.test\.js \(changed\)/],
  ["change an excluded file", "echo x >> src/generated/api.js", /src\/generated\/api\.js \(changed\)/],
  ["change the user's uncommitted file", "echo x >> notes.txt", /notes\.txt \(changed\)/],
  ["commit it", "echo x >> golden.txt; git add -A; git commit -qm x", /golden\.txt \(changed\)/],
  ["ignore it", "echo evil.js > .gitignore; echo x > evil.js", /\.gitignore \(changed\).*evil\.js \(added\)/],
  [
    "a nested repository in the scope",
    SUBMODULE.replaceAll("nested", "src/nested"),
    /src\/nested \(a nested repository, who/,
  ],
  ["one without commits", "git init -q nested; echo x > nested/a", /nested \(added: a nested repository\)/],
  ["a nested repository", SUBMODULE, /nested \(added: a nested repository\)/],
  [
    "a link in the scope that leaves it",
    "ln -s ../golden.txt src/golden.txt",
    /src\/golden\.txt \(a symlink that leaves/,
  ],
  [
    "an absolute link",
    "ln -s /etc/passwd src/passwd",
    /src\/passwd \(a symlink that leaves the scope: \/etc\/passwd\)/,
  ],
  ["put a folder's link in its place", "mv src lib; ln -s lib src", /src \(a symlink that leaves the scope: lib\)/],
  ["put a file in its place", "mv src lib; cp lib/add.js src", /src\/generated\/api\.js \(deleted\)/],
  ["put a pipe in a file's place", "rm golden.txt; mkfifo golden.txt", /golden\.txt \(deleted\)/],
  [
    "a link out by way of another one",
    "mkdir -p src/p/q; ln -s ../.. src/p/q/up; ln -s p/q/up/../golden.txt src/golden.txt",
    /src\/golden\.txt \(a symlink that leaves the scope/,
  ],
  ["edit a file of a submodule", "echo x >> vendor/lib/a.txt", /vendor\/lib\/a\.txt \(changed\)/],
  ["edit a file of the user's nested repository", "echo x >> mine/a.txt", /mine\/a\.txt \(changed\)/],
  ["replace the repository", "echo x >> golden.txt; rm -rf .git; git init -q; git add -A", /golden\.txt \(changed\)/],
  ["replace git's objects", `${POISON}; echo x >> data/want.txt`, /data\/want\.txt \(changed\)/],
  ["edit the settings", "echo '{}' > .ralph/settings.json", /\.ralph\/settings\.json \(changed\)/],
];

sampled(2).each(OUTSIDE)("outside the scope: %s", async (_name, work, named) => {
  const box = project(work);
  const { code, stderr } = await run(box);
  expect(stderr).toMatch(/✗ not proven \(fail\): outside the scope: /);
  expect(stderr).toMatch(named);
  expect(stderr).not.toMatch(/tampered/);
  expect(code).toBe(1);
  expect(box.read("../prompt-2")).toMatch(
    /outside the scope: [\s\S]*restore that; only these paths may change: src\/\*\*/,
  );
});

full("an exclusion in the git directory hides nothing from the scope, and is tampering", async () => {
  const { stderr } = await run(project("echo evil.js >> .git/info/exclude; echo x > evil.js"));
  expect(stderr).toMatch(/tampered: \.git\/info\/exclude .*; outside the scope: evil\.js \(added\)/);
});

full("index flags hide nothing from the scope, and are tampering", async () => {
  const box = project("echo x >> golden.txt; git update-index --assume-unchanged golden.txt");
  const { stderr } = await run(box);
  expect(stderr).toMatch(/tampered: \.git\/index .*; outside the scope: golden\.txt \(changed\)/);
});

const INSIDE: [string, string][] = [
  ["only the work", ":"],
  ["a new file in the scope", "echo x > src/new.js"],
  ["a deleted file in the scope", "echo x > src/a.js; rm src/a.js"],
  ["a new test", `cp test/add.test.js test/more.test.js`],
  ["a link within the scope", "ln -s add.js src/sum.js"],
  ["a file in an ignored folder", "echo new > ignored/cache.txt"],
  [
    "what tools leave behind",
    "mkdir node_modules src/__pycache__; echo x > node_modules/a.js; echo x > src/__pycache__/a.pyc",
  ],
  ["a change that was taken back", "cp golden.txt ../g; echo x >> golden.txt; cp ../g golden.txt"],
  ["a commit of the work", "git add src; git commit -qm work"],
  [
    "the first commit amended, and the old one removed",
    "git add src; git commit -q --amend -m work; git reflog expire --expire=now --all; git gc -q --prune=now",
  ],
  ["a name with a newline", "touch \"$(printf 'src/a\\nb')\""],
  ["a pipe in the scope", "mkfifo src/pipe"],
];

sampled(1).each(INSIDE)("within the scope: %s", async (_name, work) => {
  const box = project(work);
  const { code, stderr } = await run(box);
  expect(stderr).toMatch(/✓ verified/);
  expect(code).toBe(0);
});

test("the prompt has the scope, and --scope replaces that of the settings", async () => {
  const box = project("echo x >> golden.txt");
  const { code } = await run(box, "--scope", "src/**", "--scope", "golden.txt");
  expect(code).toBe(0);
  expect(box.read("../prompt-1")).toContain(
    "## Scope\n\nOnly these paths may change; a change anywhere else is refused:\n\n- `src/**`\n- `golden.txt`",
  );
});

test("what the checks create themselves is not accused", async () => {
  const box = project('[ "$RALPH_ITERATION" = 1 ] && git checkout -q src || true');
  const check = "mkdir -p out/deep; date +%N > out/deep/report-$$.txt; echo ran >> log.txt; node --test";
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", check, "-m", "3");
  expect(stderr).not.toContain("outside the scope");
  expect(code).toBe(0);
});

full("what the checks write when they pass is not the agent's", async () => {
  const box = project(":");
  const check = "node --test && date +%N >> golden.txt";
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", check, "-m", "3");
  expect(stderr).not.toContain("outside the scope");
  expect(stderr).toContain("unverifiable: files changed while the checks ran: golden.txt");
  expect(code).toBe(1);
});

full("a person's change is accepted on request, and the next claim is judged from there", async () => {
  const box = project("grep -q mine2 golden.txt || echo x > stray.txt");
  expect((await run(box, "-m", "1")).code).toBe(1);
  box.write("golden.txt", "mine2\n");
  const { code, stderr } = await box.ralph("resume", "--accept-changes", "-m", "3");
  expect(stderr).toMatch(/✓ verified/);
  expect(code).toBe(0);
});

test.each<[string, string[], RegExp]>([
  ["out of the repository", ["--scope", "../other/**"], /scope: "\.\.\/other\/\*\*" leads out of the repository/],
  ["only exclusions", ["--scope", "!src/**"], /scope only excludes paths/],
])("a scope that cannot be met is an error: %s", async (_name, args, message) => {
  const { code, stderr } = await run(project(":"), ...args);
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

full("a repository that the agent makes in the loop's folder does not move the scope", async () => {
  const box = project(":");
  const completion = JSON.stringify({ completion: { scope: ["src/**"] } });
  box.write("packages/a/.ralph/settings.json", completion);
  box.program("agent", `git init -q .; echo x > ../../src/new.js; echo '${DONE}'`);
  const { code, stderr } = await box.shell(
    'cd packages/a && "$@"',
    "run",
    "--prompt",
    "x",
    "--agent",
    "agent",
    "-m",
    "1",
  ).ended;
  expect(stderr).toMatch(/outside the scope: \.git \(added: a nested repository\), \.\.\/\.\.\/src\/new\.js \(added\)/);
  expect(code).toBe(1);
});

test("a scope needs git", async () => {
  const box = sandbox();
  box.program("agent", `echo '${DONE}'`);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--scope", "src/**");
  expect(stderr).toMatch(/scope needs a git repository.*\n.*git init/);
  expect(code).toBe(2);
});

test("--dry-run, why and the receipt show the scope", async () => {
  const box = project(":");
  const dry = await run(box, "--dry-run");
  expect(dry.stdout).toContain("scope: only src/**, !src/generated/**, +test/** may change");
  expect((await run(box)).code).toBe(0);
  expect((await box.ralph("why")).stdout).toContain("scope: only src/**, !src/generated/**, +test/** may change");
  expect((await box.ralph("receipt", "show")).stdout).toContain("scope     src/**, !src/generated/**, +test/**");
  const receipt = await box.ralph("receipt", "show", "--json");
  expect(JSON.parse(receipt.stdout)).toMatchObject({ criteria: { scope: SCOPE } });
});
