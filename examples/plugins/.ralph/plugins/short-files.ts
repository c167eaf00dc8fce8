// Passes when no file in a folder is longer than it may be.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineVerifier } from "ralph-engine/plugin";
import * as z from "zod";

interface LongFile {
  path: string;
  lines: number;
}

export const verifier = defineVerifier({
  apiVersion: 1,
  name: "short-files",
  config: z.strictObject({ folder: z.string(), maxLines: z.int().min(1) }),
  verify({ cwd, config: { folder, maxLines } }) {
    const files = readdirSync(join(cwd, folder), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    if (files.length === 0) return { is: "fail", reason: `${folder} has no files yet` };
    const long: LongFile[] = files
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => ({ path, lines: readFileSync(path, "utf8").split("\n").length - 1 }))
      .filter(({ lines }) => lines > maxLines);
    console.log(`looked at ${files.length} files`);
    if (long.length === 0) return { is: "pass", reason: `no file has more than ${maxLines} lines` };
    return {
      is: "fail",
      reason: `${long.length} of ${files.length} files have more than ${maxLines} lines`,
      output: long.map(({ path, lines }) => `${path}: ${lines} lines`).join("\n"),
    };
  },
});
