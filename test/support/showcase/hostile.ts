import type { Plans } from "./plans.ts";

/** Runs if a page takes a text for HTML: it marks the window, and asks another host. */
const RUN = "globalThis.__ran=1;fetch('http://evil.invalid/')";

/** Texts that nobody should be able to make anything of but text. */
export const HOSTILE = {
  script: `<script>${RUN}</script>`,
  image: `<img src=x onerror="${RUN}">`,
  link: `<a href="javascript:${RUN}">click</a> [click](javascript:${RUN}) http://evil.invalid/?a=1`,
  attribute: `"><svg onload="${RUN}">`,
  template: `\${${RUN}} {{constructor.constructor("${RUN}")()}}`,
  escapes:
    "\u001b[31mred\u001b[0m \u001b]8;;javascript:alert(1)\u0007link\u001b]8;;\u0007 \u001b]0;title\u0007 \u001b[2J\u001b[H",
  bidi: "\u202edesrever\u202c \u2066isolated\u2069",
  long: "W".repeat(400),
  wide: "日本語のタイトル 👩‍👩‍👧‍👦 🏳️‍🌈 한국어 ﷽ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞",
} as const;

/** The branch that everything is merged into: a name that git accepts. */
export const HOSTILE_BRANCH = 'main"><img/src=x/onerror=globalThis.__ran=1>';

const EVERYTHING = Object.values(HOSTILE).join("\n");
/** A name that the file system accepts. */
const FILE = 'src/"><img src=x onerror=globalThis.__ran=1>.js';

const words = Object.entries(HOSTILE);

/** A task for each text, and what they are done with. */
export const HOSTILE_TASKS = words.map(([name, text], i) => ({
  id: `EVIL-${i + 1}`,
  title: text.replace(/[\u0000-\u001f]/g, " ").slice(0, 500),
  description: `${name}: ${EVERYTHING}`,
  priority: 5,
  completion: {
    outcome: text,
    acceptance_criteria: [{ text: `${name}: ${text}`, check: `test -e '${FILE}'` }],
  },
}));

export const HOSTILE_PLANS: Plans = {
  "EVIL-1 coder": [
    {
      say: EVERYTHING,
      think: EVERYTHING,
      write: { [FILE]: EVERYTHING },
      run: [`printf %s '${HOSTILE.script}'`],
      promise: false,
    },
    { say: EVERYTHING, write: { [FILE]: `${EVERYTHING}\n` } },
    { say: EVERYTHING, write: { [FILE]: `${EVERYTHING}\nfixed\n` } },
  ],
  "EVIL-1 reviewer": [
    { say: EVERYTHING, review: { approved: false, findings: words.map(([, text]) => text) } },
    { say: EVERYTHING, review: { approved: true, findings: [] } },
  ],
  "EVIL-2 coder": [{ say: `<blocked>${HOSTILE.image} ${HOSTILE.script}</blocked>`, promise: false }],
  [`"${HOSTILE.script}"`]: [{ say: EVERYTHING, write: { [`${FILE}.txt`]: EVERYTHING }, run: [`cat '${FILE}.txt'`] }],
};

/** The tasks that are worked on; the others stay in todo. */
export const HOSTILE_WORK = ["EVIL-1", "EVIL-2"];
