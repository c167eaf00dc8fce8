import { appendFile, mkdir, readFile, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { codeOf, RalphError } from "../../../core/errors.ts";
import type { Step } from "../../../core/schema/scenario.ts";

export type FileStep = Extract<Step, { do: "write" | "append" | "replace" | "delete" }>;

/** Performs a file step below `root` and describes it. Throws a RalphError for a path outside `root`. */
export async function changeFile(step: FileStep, root: string, fill: (text: string) => string): Promise<string> {
  if (step.do === "delete") {
    await rm(await insidePath(root, step.path, "link itself"), { recursive: true });
    return `deleted ${step.path}`;
  }
  const target = await insidePath(root, step.path, "link target");
  if (step.do === "replace") {
    const before = await readFile(target, "utf8");
    const parts = before.split(step.old);
    if (parts.length === 1) throw new Error(`${step.path} does not contain the text to replace`);
    await writeFile(target, parts.join(fill(step.new)));
    return `replaced ${parts.length - 1} × in ${step.path}`;
  }
  await mkdir(dirname(target), { recursive: true });
  const content = fill(step.content);
  await (step.do === "write" ? writeFile : appendFile)(target, content);
  return `${step.do === "write" ? "wrote" : "appended"} ${Buffer.byteLength(content)} bytes to ${step.path}`;
}

async function insidePath(root: string, path: string, of: "link itself" | "link target"): Promise<string> {
  const wanted = resolve(root, path);
  const real =
    of === "link target" ? await followLinks(wanted) : join(await followLinks(dirname(wanted)), basename(wanted));
  const way = relative(await realpath(root), real);
  if (way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return real;
  throw new RalphError("scenario-path-outside", `${path}: is outside the working directory ${root}`, {
    hint: "A scenario changes files below the agent's working directory only; use `run` for anything else.",
  });
}

/** Like realpath for a path whose end may not exist. A dangling link counts as its target, which a write creates. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const parent = await followLinks(dirname(path));
  const link = await linkTarget(path);
  return link === null ? join(parent, basename(path)) : followLinks(resolve(parent, link));
}

async function linkTarget(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch (error) {
    // missing, or not a link
    if (codeOf(error) === "ENOENT" || codeOf(error) === "EINVAL") return null;
    throw error;
  }
}
