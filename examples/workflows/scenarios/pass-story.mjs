// What the scripted agent uses to mark a story as done: node scenarios/pass-story.mjs US-001
import { readFileSync, writeFileSync } from "node:fs";

const prd = JSON.parse(readFileSync("prd.json", "utf8"));
for (const story of prd.userStories) if (story.id === process.argv[2]) story.passes = true;
writeFileSync("prd.json", `${JSON.stringify(prd, null, 2)}\n`);
