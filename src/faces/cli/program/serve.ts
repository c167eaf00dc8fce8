import type { Command } from "commander";
import { type Action, add } from "./action.ts";
import { nonEmptyText, repeated, wholeNumberArgument, wholeNumberOrOff } from "./arguments.ts";

export function addServe(program: Command, action: Action): void {
  add(program, "serve", "serve this repository over HTTP: the dashboard for browsers, and an API for programs")
    .optionsGroup("Where:")
    .option("--port <n>", "the port (default 3000, or the next one that is free)", wholeNumberOrOff)
    .option("--host <address>", "the address to listen on", nonEmptyText, "127.0.0.1")
    .option("--allow-host <name>", "another host name to accept in requests (repeatable)", repeated)
    .optionsGroup("Runs:")
    .option(
      "--max-parallel <n>",
      "maximum number of runs at once (default 1: they share the checkout)",
      wholeNumberArgument,
    )
    .option("--agent <command>", "the agent, instead of the workflows' own", nonEmptyText)
    .option("--scenario <file>", "what the scripted agent plays", nonEmptyText)
    .option("--settings <path>", "settings file (default .ralph/settings.json)", nonEmptyText)
    .optionsGroup("Browser:")
    .option("--open", "open the dashboard in the browser, also if the server is already running")
    .option("--viewer", "create a read-only link")
    .optionsGroup("Token:")
    .option("--token", "print the token for requests, and exit")
    .option("--new-token", "create a new token; the old one stops working, and browsers are signed out")
    .optionsGroup("Output:")
    .option("--json", "print only events, as JSON Lines")
    .addHelpText("after", HELP)
    .action(action(async () => (await import("../commands/serve.ts")).serveCommand));
}

const HELP = `
The printed link signs one browser in, once, within ten minutes. \`ralph serve --open\` gives a new one at any time.

A session of a program, in another terminal in the same folder:
  AUTH="Authorization: Bearer $(ralph serve --token)"
  URL=http://127.0.0.1:3000
  curl -s -H "$AUTH" $URL/api/workflows
  curl -s -H "$AUTH" -H "Content-Type: application/json" $URL/test/message \\
    -d '{"conversationId":"test-ralph","message":"run ralph"}'
  curl -s -H "$AUTH" $URL/test/messages/test-ralph
  curl -s -H "$AUTH" $URL/api/runs?limit=1
  curl -sN -m 2 -H "$AUTH" $URL/events?after=0
  curl -s $URL/openapi.json

Ctrl-C stops it: the next \`ralph serve\` resumes its runs. Press it again to stop immediately.

Exit codes: 0 stopped by SIGTERM, or a link to the running server (--open, --viewer) · 1 already running · 2 usage or configuration error · 130 stopped by Ctrl-C`;
