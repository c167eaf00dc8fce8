// Exits 0 once every story of prd.json passes. A story that was removed or reworded is not done.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
const storiesIn = (text) => JSON.parse(text).userStories;
const wanted = ({ passes: _, notes: __, ...story }) => JSON.stringify(story);

const first = git("log", "--diff-filter=A", "--format=%H", "--", "prd.json").split("\n").at(-1);
const stories = new Map(storiesIn(readFileSync("prd.json", "utf8")).map((story) => [story.id, story]));

const open = storiesIn(git("show", `${first}:./prd.json`)).flatMap((story) => {
  const now = stories.get(story.id);
  if (!now) return [`${story.id} ${story.title}: is gone from prd.json`];
  if (wanted(now) !== wanted(story)) return [`${story.id} ${story.title}: is not the story that was asked for`];
  return now.passes === true ? [] : [`${story.id} ${story.title}: does not pass yet`];
});

for (const line of open) console.log(line);
process.exit(open.length === 0 ? 0 : 1);
