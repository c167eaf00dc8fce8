import { execFileSync } from "node:child_process";
import { afterEach, describe, expect, onTestFinished } from "vitest";
import { sampled } from "../../../test/support/effort.ts";
import { provedBy, someSpec } from "../../../test/support/spec.ts";
import { trickProject } from "../../../test/support/trick-project.ts";
import { TRICKS, type Trick } from "../../../test/support/tricks.ts";
import { fileBlobs } from "../../adapters/io/file-blobs.ts";
import type { Blobs } from "../../core/blobs.ts";
import { protect } from "./protection.ts";
import { protectSince } from "./protection-since.ts";
import { tamperedWith } from "./tampering.ts";

const PATH = process.env.PATH ?? "";
afterEach(() => {
  process.env.PATH = PATH;
});

/** Tricks played not between the record and the claim, but while a check runs, or on a record. */
const ELSEWHERE = new Set(["exchange the script while the check runs, and put it back", "delete Ralph's own record"]);

describe("an agent that works before a loop is treated like the loop's own agent", () => {
  const tricks = TRICKS.filter(({ name }) => !ELSEWHERE.has(name));
  sampled(30).each(tricks.map((trick) => [trick.outcome, trick.name, trick] as const))(
    "%s: %s",
    async (outcome, _, trick) => {
      const box = trickProject(onTestFinished, trick);
      process.env.PATH = `${box.bin}:${PATH}`;
      const spec = specOf(box.cwd, trick);
      const patterns = [".ralph/settings.json", ...protectIn(trick)];
      const [inside, run, after] = ["inside", "run", "after"].map((name) => fileBlobs(`${box.state}/${name}`)) as Kept;
      const own = await protect(inside, spec, patterns);
      const trust = { blobs: run, fingerprints: await protect(run, spec, patterns) };
      execFileSync("sh", ["-c", `${trick.does}\n:`], { cwd: box.cwd, env: { ...process.env, BIN: box.bin } });
      const since = await protectSince(after, spec, patterns, trust);
      const found = await tamperedWith({ spec, fingerprints: since, blobs: after });
      expect(found).toEqual(await tamperedWith({ spec, fingerprints: own, blobs: inside }));
      expect(found.map(({ path, change }) => `${path} (${change})`).join()).toContain(trick.says ?? "");
      expect(found.length > 0).toBe(outcome === "caught");
    },
  );
});

type Kept = [Blobs, Blobs, Blobs];

function specOf(cwd: string, { verify = "sh check.sh", settings = {} }: Trick) {
  const testsMayChange = JSON.stringify(settings).includes("allow_test_changes");
  return someSpec({ cwd, tracked: true, proof: { ...provedBy([verify]), testsMayChange } });
}

const protectIn = ({ settings = {} }: Trick): string[] =>
  "protect" in settings && Array.isArray(settings.protect) ? settings.protect : [];
