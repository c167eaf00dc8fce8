interface IgnoreFile {
  /** The folder of the .gitignore file, relative to the checkout's root; empty for the root. */
  folder: string;
  text: string;
}

/**
 * What package managers, interpreters and test runners create, often before anybody has written an ignore rule for it.
 */
const GENERATED =
  "node_modules/ __pycache__/ *.py[co] .pytest_cache/ .mypy_cache/ .ruff_cache/ .venv/ .tox/ .nox/ .hypothesis/ *.egg-info/ .coverage .nyc_output/ .turbo/ .gradle/ .DS_Store *.swp *~";

/** The rules of all ignore files as the text of one file at the root. Those of deeper folders come last and win. */
export function rulesAtRoot(shared: readonly string[], files: readonly IgnoreFile[]): string {
  const depth = ({ folder }: IgnoreFile) => (folder === "" ? 0 : folder.split("/").length);
  const sorted = [...files].sort((a, b) => depth(a) - depth(b));
  return [...GENERATED.split(" "), ...shared, ...sorted.flatMap(rulesOf), ""].join("\n");
}

function rulesOf({ folder, text }: IgnoreFile): string[] {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  if (folder === "") return lines;
  return lines.map((line) => {
    const [mark, rule] = line.startsWith("!") ? ["!", line.slice(1)] : ["", line];
    const isAnchored = rule.trimEnd().slice(0, -1).includes("/");
    return `${mark}/${escapedPath(folder)}/${isAnchored ? "" : "**/"}${rule.replace(/^\//, "")}`;
  });
}

/** A path as an ignore rule that matches only that path. */
export const escapedPath = (path: string): string => path.replace(/[\\*?[\]!# ]/g, "\\$&");
