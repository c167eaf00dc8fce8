/** The sections of an INI or TOML file whose names, also before keys, start with `name`, without comments and blank lines. */
export function sectionText(text: string, name: string): string | null {
  const lines: string[] = [];
  let [section, inside] = ["", false];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const header = /^\[\[?([^[\]]+)\]\]?\s*(?:[#;].*)?$/.exec(line)?.[1];
    const key = header === undefined ? /^([\w"'.-][\w"'. -]*?)\s*=/.exec(line)?.[1] : undefined;
    if (header !== undefined) section = dotted(header);
    if (header !== undefined || key !== undefined)
      inside = [section, dotted(key ?? "")].filter(Boolean).join(".").startsWith(name);
    if (inside && line !== "" && !/^[#;]/.test(line)) lines.push(line);
  }
  return lines.length === 0 ? null : lines.join("\n");
}

/** TOML allows quotes and spaces in `tool . "pytest"`. */
const dotted = (text: string): string =>
  text
    .replace(/["']/g, "")
    .split(".")
    .map((part) => part.trim())
    .join(".");

/** `test = false` for a target that is not a binary or benchmark, `autotests = false`, a test with its own harness. */
export function testsTurnedOff(manifest: string): string | null {
  const all = (sectionText(manifest, "") ?? "").split("\n");
  let header = "";
  const lines = all.filter((line) => {
    header = /^\[\[?\s*([\w.-]+)/.exec(line)?.[1] ?? header;
    const key = /(?:^|[\s.{,])(autotests|test|harness)\s*=\s*false\b/.exec(line)?.[1];
    return key === "harness" ? header === "test" : key !== undefined && !/^(?:bin|bench|example)$/.test(header);
  });
  return lines.length === 0 ? null : lines.join("\n");
}
