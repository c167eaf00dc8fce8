// A host of one's own: it has a session, an agent (here a list of answers), and tells the hook when the agent is done.
import { writeFileSync } from "node:fs";
import { createRalphLoopHook } from "ralph-engine/hook";

const answers = [
  () => "I have read the task and thought about it.",
  () => "It is written.\n\n<promise>DONE</promise>", // It is not.
  () => {
    writeFileSync("greeting.txt", "Hello, world\n");
    return "Now it is.\n\n<promise>DONE</promise>";
  },
];

const messages = [];

/** Tells the agent something; when it has answered, the session is idle. */
async function tell(prompt) {
  messages.push({ role: "user", content: prompt });
  const answer = answers.shift()();
  messages.push({ role: "assistant", content: answer });
  console.log(`\n> ${prompt.split("\n")[0]}\n${answer}`);
  setImmediate(() => hook.handler({ event: "session.idle", sessionId: "demo" }));
}

const hook = createRalphLoopHook({
  getMessages: async () => messages,
  injectPrompt: (_sessionId, prompt) => tell(prompt),
  showToast: ({ title, message }) => console.log(`\n[${title}] ${message}`),
  // The promise only asks for this; when it fails, its output is in the next prompt.
  verify: "grep Hello greeting.txt",
});

const begun = await hook.beginLoop("demo", "Write a greeting into greeting.txt", { maxIterations: 5 });
if (!begun.started) throw new Error(begun.reason);
await tell(begun.prompt);
