import { expect, test } from "vitest";
import { inProcess } from "./support/in-process.ts";
import type { Sandbox } from "./support/sandbox.ts";

/** What a real bash offers after `eval "$(ralph completion bash)"`. */
async function offered(box: Sandbox, ...words: string[]): Promise<string[]> {
  const script = `eval "$(ralph completion bash)" && complete -p ralph >/dev/null || exit 1
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ralph; printf "%s\\n" "\${COMPREPLY[@]}"`;
  const { stdout, stderr, code } = await box.run("bash", "--norc", "-c", script, "bash", ...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter(Boolean);
}

/** A sandbox in which `ralph` is a command. */
function withCommand(): Sandbox {
  const box = inProcess();
  box.program("ralph", `exec "${process.execPath}" "${box.ralphPath}" "$@"`);
  return box;
}

test("bash completes commands, options and choices", async () => {
  const box = withCommand();
  expect(await offered(box, "ralph", "statu")).toEqual(["status"]);
  expect(await offered(box, "ralph", "run", "--prompt-")).toEqual(["--prompt-file"]);
  expect(await offered(box, "ralph", "run", "--context", "")).toEqual(["fresh", "continue"]);
  expect(await offered(box, "ralph", "completion", "")).toEqual(["bash", "zsh", "fish"]);
});

test("bash completes the loops of this repository", async () => {
  const box = withCommand();
  expect(await offered(box, "ralph", "resume", "")).toEqual([]);
  expect(box.exists(box.state)).toBe(false);
  box.program("yes-agent", 'echo "<promise>DONE</promise>"');
  await box.ralph("run", "--agent", "yes-agent", "--prompt", "a task\twith `tabs`");
  const [loop] = (await box.json("list")) as { id: string }[];
  expect(await offered(box, "ralph", "resume", "")).toEqual(["last", loop?.id]);
  expect((await box.ralph("__loops")).stdout).toBe(`last\tthe newest loop\n${loop?.id}\ta task with \`tabs\`\n`);
});

test("the command for shell scripts is hidden", async () => {
  const { stdout } = await inProcess().ralph("--help");
  expect(stdout).toContain("completion");
  expect(stdout).not.toContain("__loops");
});
