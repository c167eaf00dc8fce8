import type { Command } from "commander";
import type { Action } from "./action.ts";
import { repeated, wholeNumber, wholeNumberOrOff, words } from "./arguments.ts";

/** Declares `ralph serve`. */
export function addServe(program: Command, action: Action): void {
  program
    .command("serve")
    .description("serve this repository over HTTP: workflows by message, loops, tasks, receipts, events")
    .optionsGroup("Where:")
    .option("--port <n>", "the port (default 3000, or the next one that is free)", wholeNumberOrOff)
    .option("--host <address>", "the address to listen on", words, "127.0.0.1")
    .option("--allow-host <name>", "another name under which it may be asked (repeatable)", repeated)
    .optionsGroup("Runs:")
    .option("--max-parallel <n>", "so many runs at once (default 1: they share the checkout)", wholeNumber)
    .option("--agent <command>", "the agent, instead of the workflows' own", words)
    .option("--scenario <file>", "what the scripted agent plays", words)
    .option("--settings <path>", "settings file (default .ralph/settings.json)", words)
    .optionsGroup("Token:")
    .option("--token", "print the token that requests have to carry, and end")
    .option("--new-token", "make a new token; the old one is worth nothing from then on")
    .optionsGroup("Output:")
    .option("--json", "print what happens as JSON Lines, and nothing else")
    .addHelpText("after", HELP)
    .action(action(async () => (await import("./commands/serve.ts")).serveCommand));
}

const HELP = `
A session, in another terminal in the same folder:
  AUTH="Authorization: Bearer $(ralph serve --token)"
  URL=http://127.0.0.1:3000
  curl -s -H "$AUTH" $URL/api/workflows
  curl -s -H "$AUTH" -H "Content-Type: application/json" $URL/test/message \\
    -d '{"conversationId":"test-ralph","message":"run ralph"}'
  curl -s -H "$AUTH" $URL/test/messages/test-ralph
  curl -s -H "$AUTH" $URL/api/runs?limit=1
  curl -sN -m 2 -H "$AUTH" $URL/events?after=0
  curl -s $URL/openapi.json

Ctrl-C stops it: runs are left where they are, and the next \`ralph serve\` goes on with them. Once more: at once.

Exit codes: 0 stopped by SIGTERM · 1 it runs already · 2 usage or configuration error · 130 stopped by Ctrl-C`;
