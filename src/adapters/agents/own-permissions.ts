import { join } from "node:path";
import { homeFolder } from "../io/environment.ts";
import { textAt } from "../io/look.ts";
import { asFields, asList, asText, type JsonFields, parseFields } from "./json.ts";

/** What an agent's own settings allow, as flags that would allow the same. */
export function ownPermissions(name: string, cwd: string): string[] {
  const files = [join(homeFolder(), `.${name}`), join(cwd, `.${name}`)];
  const read = (file: string) => files.map((folder) => textAt(join(folder, file)));
  switch (name) {
    case "claude":
      return ["settings.json", "settings.local.json"].flatMap(read).map(parseFields).flatMap(claudeFlags);
    case "codex":
      return read("config.toml").flatMap((text) => {
        const mode = /^\s*sandbox_mode\s*=\s*"([\w-]+)"/m.exec(text)?.[1];
        return mode === undefined ? [] : ["-s", mode];
      });
    case "gemini":
    case "qwen":
      return [
        ...read("settings.json").map(parseFields).flatMap(geminiFlags),
        ...(read("trustedFolders.json").some((text) => text.includes(JSON.stringify(cwd))) ? ["--skip-trust"] : []),
      ];
    default:
      return [];
  }
}

function claudeFlags({ permissions }: JsonFields): string[] {
  const { defaultMode, allow } = asFields(permissions);
  const mode = asText(defaultMode);
  const rules = asList(allow).map(asText).filter(Boolean);
  return [
    ...(mode === "" ? [] : ["--permission-mode", mode]),
    ...(rules.length === 0 ? [] : ["--allowedTools", rules.join(",")]),
  ];
}

function geminiFlags({ general, tools }: JsonFields): string[] {
  const mode = asText(asFields(general).defaultApprovalMode) || asText(asFields(tools).approvalMode);
  const rules = asList(asFields(tools).allowed).map(asText).filter(Boolean);
  return [
    ...(mode === "" ? [] : ["--approval-mode", mode]),
    ...(rules.length === 0 ? [] : ["--allowed-tools", rules.join(",")]),
  ];
}
