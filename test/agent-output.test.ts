import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { linesOf } from "./support/json-lines.ts";
import { type Running, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";
/** Every byte value, many times. */
const NOISE = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919 + (i >> 8)) % 256));
const RUN = ["run", "--agent", "agent", "--prompt", "x", "-m", "1"];

sampled(2).each<[string, string, string]>([
  ["binary garbage before the claim", `cat noise; printf '\\n\\n${DONE}\\n'`, "promise-only"],
  ["NUL bytes around the claim", `printf 'a\\0b\\n${DONE}\\n\\0\\n'`, "promise-only"],
  ["invalid UTF-8", `printf '\\377\\376\\300\\n${DONE}\\n'`, "promise-only"],
  ["a character split over writes", `printf 'gr\\303'; sleep 0.1; printf '\\274n\\n${DONE}'`, "promise-only"],
  [
    "a tag split over writes",
    "printf '<pro'; sleep 0.1; printf 'mise>DO'; sleep 0.1; printf 'NE</promise>'",
    "promise-only",
  ],
  ["no line end", `printf '${DONE}'`, "promise-only"],
  ["50,000 lines", `yes 'still at work here' | head -n 50000; echo '${DONE}'`, "promise-only"],
  ["a huge standard error", `yes 'noise on stderr' | head -c 20000000 >&2; echo '${DONE}'`, "promise-only"],
  ["a claim only on standard error", `echo '${DONE}' >&2`, "iteration-limit"],
  ["nothing at all", ":", "iteration-limit"],
])("an agent that prints %s", async (_name, script, reason) => {
  const box = sandbox();
  box.program("agent", script);
  writeFileSync(box.path("noise"), NOISE);
  const { code, stdout, stderr } = await box.ralph(...RUN, "--json");
  expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", reason, iterations: 1 });
  expect({ code, stderr }).toEqual({ code: reason === "promise-only" ? 0 : 1, stderr: "" });
});

full("output is logged, and with --raw shown, byte for byte", async () => {
  const box = sandbox();
  box.program("agent", `cat noise; printf '\\n\\n${DONE}\\n'`);
  const printed = Buffer.concat([NOISE, Buffer.from(`\n\n${DONE}\n`)]);
  writeFileSync(box.path("noise"), NOISE);
  expect((await box.shell('"$@" >shown 2>told', ...RUN, "--raw").ended).code).toBe(0);
  await box.shell('"$@" >logged', "logs", "--raw").ended;
  expect(readFileSync(box.path("shown")).equals(printed)).toBe(true);
  const heading = "── iteration 1, attempt 1 ──\n";
  expect(readFileSync(box.path("logged")).equals(Buffer.concat([Buffer.from(heading), printed]))).toBe(true);
});

const ODD_STREAM = `
iterations:
  - steps:
      - say: "\\e]0;title\\aone\\e[2J\\r  ✓ proven"
      - raw: "no event \\e[31m\\n"
      - raw: '{"type":"tool.denied","name":"Bash","detail":"not\\u001b[1A allowed"}'
      - raw: "\\n"
      - stderr: "\\e[1Abeside it"
      - say: two
`;

full("a structured stream is shown raw byte for byte, with other output on standard error", async () => {
  const box = sandbox();
  box.write("s.yaml", ODD_STREAM);
  const run = ["run", "--prompt", "x", "--scenario", "s.yaml", "-m", "1"];
  await box.shell('"$@" >shown 2>told', ...run, "--raw").ended;
  const { id } = (await box.json("status", "last")) as { id: string };
  const log = readFileSync(join(box.state, "loops", id, "output-1.log"));
  expect(readFileSync(box.path("shown")).equals(log)).toBe(true);
  expect(log.includes("\u001b[31m")).toBe(true);
  expect(box.read("told")).toContain("\u001b[1Abeside it");
});

test("in readable form, nothing in a structured stream can control the terminal", async () => {
  const box = sandbox();
  box.write("s.yaml", ODD_STREAM);
  const { stdout, stderr } = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "-m", "1");
  for (const line of ["one  ✓ proven", "  ✗ refused: Bash not allowed", "beside it", "two"]) {
    expect(stdout).toContain(`${line}\n`);
  }
  expect(stdout + stderr).not.toMatch(/[\u0007\r\u001b]/);
  const logs = await box.ralph("logs");
  expect(logs.stdout).toContain("one  ✓ proven\n  ✗ refused: Bash not allowed\ntwo\n");
});

const FLOOD = 100_000_000;
const MOST_MB = 200;

full.each<[string, string]>([
  ["on one line", `head -c ${FLOOD} /dev/zero | tr '\\0' x; echo; echo '${DONE}'`],
  ["on many lines", `yes 'still at work here' | head -c ${FLOOD}; echo; echo '${DONE}'`],
  ["on standard error", `head -c ${FLOOD} /dev/zero | tr '\\0' x >&2; echo '${DONE}'`],
])("100 MB of plain text %s take little memory", async (_name, script) => {
  const box = sandbox();
  box.program("agent", script);
  await expectModest(box.shell('exec "$@" >/dev/null 2>&1', ...RUN));
  await expectModest(box.shell('exec "$@" >/dev/null', "logs"));
});

full.each<[string, string]>([
  ["on one line", "text "],
  ["in many events", '{"type":"text.said","text":"still at work here, and nothing new to tell"}\\n'],
])("100 MB of a structured stream %s take little memory", async (_name, of) => {
  const box = sandbox();
  box.write(
    "flood.yaml",
    `iterations:
  - steps:
      - raw: { bytes: ${FLOOD}, of: ${JSON.stringify(of).replaceAll("\\\\n", "\\n")} }
      - raw: "\\n"
      - write: { path: work.txt, content: work }
      - say: ${DONE}
`,
  );
  await expectModest(box.shell('exec "$@" >/dev/null', "run", "--prompt", "x", "--scenario", "flood.yaml", "-m", "1"));
});

async function expectModest(run: Running): Promise<void> {
  const [peakMb, { code }] = await Promise.all([peakOf(run), run.ended]);
  expect(code).toBe(0);
  expect(peakMb).toBeGreaterThan(20);
  expect(peakMb).toBeLessThan(MOST_MB);
}

/** The peak memory of a process, polled until it ends. */
async function peakOf({ child, ended }: Running): Promise<number> {
  let peakKb = 0;
  const looking = setInterval(() => {
    peakKb = Number(/VmHWM:\s+(\d+)/.exec(statusOf(child.pid))?.[1] ?? peakKb);
  }, 10);
  await ended;
  clearInterval(looking);
  return peakKb / 1024;
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return ""; // it ended between two looks
  }
}
