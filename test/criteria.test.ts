import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { expectRefusal } from "./support/refusal.ts";
import { sandbox } from "./support/sandbox.ts";

const DONE = 'echo "<promise>DONE</promise>"';

test("a mistake deep in the stages is reported with line and column", async () => {
  const box = sandbox();
  box.program("agent", DONE);
  box.write(
    ".ralph/settings.json",
    `{
  "completion": {
    "verificationMethod": "multi_stage",
    "verificationConfig": {
      "stages": [
        { "name": "types", "template": "typecheck" },
        { "name": "tests", "method": "external", "config": {
          "command": "npm test",
          "outputContain": "passed",
          "timeout": "5m" } },
        { "method": "magic" }
      ]
    }
  }
}
`,
  );
  expectRefusal(
    await box.ralph("run", "--prompt", "x", "--agent", "agent"),
    "error: .ralph/settings.json:9:11: completion.verification_config.stages[1].config.outputContain: " +
      'unknown key "outputContain", did you mean "outputContains"?\n' +
      ".ralph/settings.json:10:22: completion.verification_config.stages[1].config.timeout: " +
      'expected seconds, got "5m"\n' +
      ".ralph/settings.json:11:21: completion.verification_config.stages[2].method: " +
      'expected one of string_match, semantic, external, multi_stage, or plugin:<name>, got "magic"\n',
  );
});

full("our templates and custom ones become commands when the loop is created", async () => {
  const box = sandbox();
  box.program("agent", `echo 'hello; $(touch hacked)' > greeting\n${DONE}`);
  const templates = {
    says: {
      verificationMethod: "external",
      verificationConfig: { command: 'grep -qF -- "$RALPH_PARAM_WORDS" "$RALPH_PARAM_FILE"' },
    },
  };
  const stages = [
    { name: "there", template: "file-exists", config: { path: "greeting" } },
    { name: "says", template: "says", config: { file: "greeting", words: "; $(touch hacked)", timeout: 9 } },
  ];
  const completion = { verification_config: { stages } };
  box.write(".ralph/settings.json", JSON.stringify({ templates, completion }));
  const plan = (await box.json("run", "--prompt", "x", "--agent", "agent", "--dry-run")) as {
    proof: { stages: { stages: object[] }[] };
  };
  expect(plan.proof.stages[0]?.stages).toMatchObject([
    { name: "there", method: "external", command: "ls -dL -- 'greeting'" },
    { name: "says", env: { RALPH_PARAM_WORDS: "; $(touch hacked)", RALPH_PARAM_FILE: "greeting" }, timeoutMs: 9_000 },
  ]);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent");
  expect(stderr).toContain("✓ verified: 2 of 2 checks pass");
  expect(code).toBe(0);
  expect(box.exists("hacked")).toBe(false);
});

full.each<[string, object, RegExp]>([
  [
    "an unknown template",
    { completion: { verification_template: "npmtest" } },
    /error: \.ralph\/settings\.json: completion: verification_template: there is no template "npmtest", did you mean "npm-test"\?\n {2}help: known are npm-test, vitest,/,
  ],
  [
    "a missing parameter",
    { completion: { verification_template: "http-health" } },
    /verification_config\.url: missing, the template http-health needs it\n/,
  ],
  [
    "a template without a method",
    { templates: { mine: { verification_config: {} } } },
    /\.ralph\/settings\.json:1:22: templates\.mine\.verification_method: missing/,
  ],
  [
    "a field in a command",
    { completion: { verification_config: { command: "echo {{title}}" } } },
    /a command cannot contain \{\{title\}\}: echo \{\{title\}\}\n {2}help: it is in the command's environment: "\$RALPH_TITLE"/,
  ],
])("%s is refused", async (_name, settings, says) => {
  const box = sandbox();
  box.program("agent", DONE);
  box.write(".ralph/settings.json", JSON.stringify(settings));
  expectRefusal(await box.ralph("run", "--prompt", "x", "--agent", "agent"), says);
});

full("a personal file replaces the team's method, and a mixture is refused", async () => {
  const box = sandbox();
  box.program("agent", DONE);
  box.write(
    ".ralph/settings.json",
    JSON.stringify({ completion: { verification_method: "semantic", verification_config: { check_for: "x" } } }),
  );
  const local = (completion: object) => box.write(".ralph/settings.local.json", JSON.stringify({ completion }));
  local({ verification_method: "external", verification_config: { command: "true" } });
  expect((await box.ralph("run", "--prompt", "x", "--agent", "agent")).code).toBe(0);
  local({ verification_config: { command: "true" } });
  expectRefusal(
    await box.ralph("run", "--prompt", "x", "--agent", "agent"),
    'error: .ralph/settings.json and .ralph/settings.local.json: completion.verification_config.command: "command" belongs to the method external, not to semantic\n',
  );
});

test("a believed promise ends the loop, and is reported as only a promise", async () => {
  const box = sandbox();
  box.program("agent", DONE);
  const completion = { verify_promises: false, verification_config: { command: "false" } };
  box.write(".ralph/settings.json", JSON.stringify({ completion }));
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent");
  expect(code).toBe(0);
  expect(stderr).toContain("? promise-only");
  box.program("agent", 'echo "Two tests still fail."; echo "<promise>DONE</promise>"');
  expect((await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1")).code).toBe(1);
});
