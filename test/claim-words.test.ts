import { describe, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const TAG = "<promise>DONE</promise>";

/** A loop of two turns whose agent works, prints the text, and keeps the prompt of each turn. */
async function heard(finished: (cleanUp: () => void) => void, text: string, ...more: string[]) {
  const box: Sandbox = sandbox(finished);
  box.initGit();
  box.write(".ralph/settings.json", "{}");
  box.write("said.txt", `${text}\n`);
  box.program("agent", `printf '%s' "$1" > "../prompt-$RALPH_ITERATION"\necho work >> made.txt\ncat said.txt`);
  const { code, stderr } = await box.ralph("run", "--prompt", "Do it.", "--agent", "agent", "-m", "2", ...more);
  const next = box.exists("../prompt-2") ? box.read("../prompt-2") : "";
  return { box, code, stderr, next };
}

// The tables of src/core/claim/ define what counts as a claim; here is one of each kind, and end-to-end cases.
const HOW = "write the tag bare, on its own line, as the last thing in your message";

describe.concurrent("a tag with text after it", () => {
  sampled(1).for([
    `${TAG} is what I will print once the tests pass`,
    `${TAG}を出力するのは、テストが通ってからです。`,
    `${TAG} ✅ но сначала тесты`,
    `**${TAG}** ist der Text für das Ende`,
  ])("is not a claim: %s", async (text, { onTestFinished, expect }) => {
    const { code, next } = await heard(onTestFinished, text);
    expect(code).toBe(1);
    expect(next).toContain(HOW);
  });

  full.for([`${TAG} ✅`])("and only decoration is one: %s", async (text, { onTestFinished, expect }) => {
    expect((await heard(onTestFinished, text)).code).toBe(0);
  });

  test("requires the checks if there are any", async ({ onTestFinished, expect }) => {
    const { code } = await heard(onTestFinished, `${TAG} and pushed to main.`, "--verify", "test -f made.txt");
    expect(code).toBe(0);
  });
});

describe.concurrent("text of the agent that contradicts its own claim", () => {
  sampled(1).for<[language: string, words: string]>([
    ["de", "Zwei Tests schlagen noch fehl."],
    ["es", "Todavía fallan 2 pruebas."],
    ["fr", "Il reste à écrire la documentation."],
    ["ja", "まだ完了していません。"],
  ])("is quoted back to it (%s): %s", async ([, words], { onTestFinished, expect }) => {
    const { code, next } = await heard(onTestFinished, `${words}\n${TAG}`);
    expect(code).toBe(1);
    expect(next).toContain("your own words contradict it");
    expect(next).toContain(words.slice(-12));
  });

  full.for(["Kein Test schlägt mehr fehl.", "All but the docs were already done; I did those too."])(
    "is distinguished from honest text: %s",
    async (words, { onTestFinished, expect }) => {
      expect((await heard(onTestFinished, `${words}\n${TAG}`)).code).toBe(0);
    },
  );
});

describe.concurrent("an open box", () => {
  full.for(["- [x] API\n- [ ] docs", "- [x] API\n  - [ ] its errors"])(
    "on the agent's own checklist is quoted: %j",
    async (list, { onTestFinished, expect }) => {
      const { code, next } = await heard(onTestFinished, `${list}\n\n${TAG}`);
      expect(code).toBe(1);
      expect(next).toContain("an unticked item on the checklist");
    },
  );

  full.for([
    "- [x] API\n- [X] docs",
    "```\n- [ ] a\n```\nThat is the template.",
    "> - [ ] from the issue\n\nAll of it is done.",
    "Out of scope:\n- [ ] the mobile app",
  ])("elsewhere has no effect: %j", async (list, { onTestFinished, expect }) => {
    expect((await heard(onTestFinished, `${list}\n\n${TAG}`)).code).toBe(0);
  });

  full("of the prompt's own list is an echo, unless others are ticked", async ({ onTestFinished, expect }) => {
    const list = "- [ ] login page\n- [ ] logout page";
    const prompt = ["--prompt", `Do this:\n${list}`];
    expect((await heard(onTestFinished, `The task was:\n${list}\n\nIt is done.\n${TAG}`, ...prompt)).code).toBe(0);
    const half = list.replace("[ ]", "[x]");
    expect((await heard(onTestFinished, `${half}\n\n${TAG}`, ...prompt)).code).toBe(1);
  });
});

describe.concurrent("lookalike characters", () => {
  full.for<[text: string, name: string]>([
    ["<promise>DO\u200bNE</promise>", "zero-width space U+200B"],
    ["<promise>\u2060DONE</promise>", "word joiner U+2060"],
    ["<promise>D\u041eNE</promise>", "U+041E CYRILLIC CAPITAL LETTER O in place of O"],
    ["<promise>DON\u0395</promise>", "U+0395 GREEK CAPITAL LETTER EPSILON in place of E"],
    ["<promise>\uff24ONE</promise>", "U+FF24 FULLWIDTH LATIN CAPITAL LETTER D in place of D"],
    ["<pr\u043emise>DONE</pr\u043emise>", "U+043E CYRILLIC SMALL LETTER O in place of o"],
    ["\uff1cpromise\uff1eDONE\uff1c/promise\uff1e", "U+FF1C"],
  ])("are named to the agent and in `why`: %j", async ([text, name], { onTestFinished, expect }) => {
    const { box, code, next, stderr } = await heard(onTestFinished, text);
    expect(code).toBe(1);
    expect(next).toContain(name);
    expect(next).toContain(HOW);
    expect(stderr).toContain(name);
    expect((await box.ralph("why")).stdout).toContain(name.slice(0, 20));
  });

  full.for(["ГОТОВО", "完了", "FERTIG ✅", "👩‍💻 ok"])(
    "are accepted if the promise has them: %s",
    async (promise, context) => {
      const box = sandbox(context.onTestFinished);
      box.write(".ralph/settings.json", JSON.stringify({ completionResponse: promise }));
      box.program("agent", `echo work >> made.txt\necho '<response>${promise}</response>'`);
      context.expect((await box.ralph("run", "--prompt", "Do it.", "--agent", "agent", "-m", "1")).code).toBe(0);
    },
  );
});

full.concurrent.for<[where: string, text: string]>([
  ["in quotes", `I am to print "${TAG}" at the end.`],
  ["in code", `The tag is \`${TAG}\`.`],
  ["escaped", "&lt;promise&gt;DONE&lt;/promise&gt;"],
  ["unclosed", "<promise>DONE"],
  ["closed by another", "<promise>DONE</response>"],
  ["negated in Spanish", `Todavía no puedo escribir ${TAG}`],
])("a tag that was not counted explains how to write it: %s", async ([, text], { onTestFinished, expect }) => {
  const { code, next } = await heard(onTestFinished, text);
  expect(code).toBe(1);
  expect(next).toContain("mentioned the completion tag without claiming completion");
  expect(next).toContain(HOW);
});
