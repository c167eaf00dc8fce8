import { resolve } from "node:path";
import { build } from "esbuild";

const FIXTURES = resolve(import.meta.dirname, "../fixtures");

/** A program of the fixtures as JavaScript: Node 20 cannot load TypeScript. */
export async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(FIXTURES, program)],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  return outputFiles[0]?.text ?? "";
}
