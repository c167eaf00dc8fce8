import { type Node, type ParseError, parseTree, stripComments } from "jsonc-parser";
import { messageOf, RalphError } from "../../../core/errors.ts";
import { positionAt } from "../../../core/schema/json-places.ts";
import { lineAt, syntaxComplaint } from "../../../core/schema/json-syntax.ts";
import { isOurs } from "./hook-line.ts";
import { propertyOf, valueAt, withChild, withoutChild, withValue } from "./json-edit.ts";

/** The hooks to install in a host: all run one command. */
export interface Hooks {
  command: string;
  /** The timeout of each event, in seconds. */
  events: Readonly<Record<string, number>>;
}

type FoundHook = { event: string; command: string };

/** A settings file: its path for messages, its text without a byte order mark. */
type SettingsText = { path: string; text: string };

/** The text with Ralph's hooks: existing ones are updated in place, new ones are added at the end. */
export function withHooks(file: SettingsText, hooks: Hooks): string {
  if (file.text.trim() === "") return `${JSON.stringify({ hooks: fresh(hooks) }, null, 2)}\n`;
  let text = withoutOthers(file, Object.keys(hooks.events));
  for (const event of Object.keys(hooks.events)) text = withHook({ ...file, text }, event, hooks);
  return text;
}

/** The text without Ralph's hooks and what was added only for them. `original`: the file before Ralph, if known. */
export function withoutHooks(file: SettingsText, original: string | null = null): string {
  if (file.text.trim() === "") return file.text;
  const before = original === null || original.trim() === "" ? undefined : parseTree(original);
  let text = file.text;
  for (;;) {
    const found = ourHooks(checked({ ...file, text }))[0];
    if (!found) return text;
    text = withoutHook(text, found, before);
  }
}

/** Ralph's hooks in a file. An invalid file has none. */
export function hooksIn(text: string): FoundHook[] {
  const root = text.trim() === "" ? undefined : parseTree(text);
  return root ? ourHooks(root).map(({ event, command }) => ({ event, command })) : [];
}

/** Why a file is invalid, or null. */
export function hooksFault(file: SettingsText): string | null {
  if (file.text.trim() === "") return null;
  try {
    checked(file);
    return null;
  } catch (error) {
    return messageOf(error).split("\n")[0] ?? "";
  }
}

interface Place extends FoundHook {
  groups: Node;
  group: number;
  list: Node;
  hook: number;
  node: Node;
}

function ourHooks(root: Node): Place[] {
  const hooks = valueAt(root, "hooks");
  const events = hooks?.type === "object" ? (hooks.children ?? []) : [];
  return events.flatMap(({ children: [key, groups] = [] }) =>
    groups ? inGroups(groups).map((place) => ({ ...place, event: String(key?.value), groups })) : [],
  );
}

const inGroups = (groups: Node): Omit<Place, "event" | "groups">[] =>
  (groups.type === "array" ? (groups.children ?? []) : []).flatMap((each, group) => {
    const list = valueAt(each, "hooks");
    if (list?.type !== "array") return [];
    return (list.children ?? []).flatMap((node, hook) => {
      const command: unknown = valueAt(node, "command")?.value;
      return typeof command === "string" && isOurs(command) ? [{ group, list, hook, node, command }] : [];
    });
  });

/** Removes Ralph's hooks for other events, and duplicates: left by another version or copied by the user. */
function withoutOthers(file: SettingsText, events: readonly string[]): string {
  let text = file.text;
  for (;;) {
    const seen = new Set<string>();
    const superfluous = ourHooks(checked({ ...file, text })).find(({ event }) => {
      if (!events.includes(event) || seen.has(event)) return true;
      seen.add(event);
      return false;
    });
    if (!superfluous) return text;
    text = withoutHook(text, superfluous, undefined);
  }
}

function withHook(file: SettingsText, event: string, hooks: Hooks): string {
  const root = checked(file);
  const there = ourHooks(root).find((place) => place.event === event);
  if (there) return upToDate(file.text, there.node, hooks.command, hooks.events[event]);
  const all = valueAt(root, "hooks");
  if (!all) return withChild(file.text, root, { key: "hooks", value: { [event]: [group(hooks, event)] } });
  const groups = valueAt(all, event);
  if (!groups) return withChild(file.text, all, { key: event, value: [group(hooks, event)] });
  return withChild(file.text, groups, { value: group(hooks, event) });
}

function upToDate(text: string, node: Node, command: string, seconds: number | undefined): string {
  const timeout = valueAt(node, "timeout");
  // Later positions first, so that the earlier ones stay valid.
  const wanted = [
    { node: valueAt(node, "command"), value: command },
    { node: timeout, value: seconds },
  ].sort((a, b) => (b.node?.offset ?? 0) - (a.node?.offset ?? 0));
  const renewed = timeout ? text : withChild(text, node, { key: "timeout", value: seconds });
  return wanted.reduce(
    (done, { node: place, value }) => (place && place.value !== value ? withValue(done, place, value) : done),
    renewed,
  );
}

function withoutHook(text: string, place: Place, before: Node | undefined): string {
  const { list, hook, groups, group, event } = place;
  if ((list.children?.length ?? 0) > 1) return withoutChild(text, list, hook);
  if ((groups.children?.length ?? 0) > 1) return withoutChild(text, groups, group);
  const hooksBefore = valueAt(before, "hooks");
  if (valueAt(hooksBefore, event)) return withoutChild(text, groups, group);
  const root = parseTree(text);
  const hooks = valueAt(root, "hooks");
  const own = propertyOf(root, "hooks");
  if (!root || !hooks || !own) return text;
  const ours = propertyOf(hooks, event);
  const index = ours ? (hooks.children ?? []).indexOf(ours) : -1;
  if ((hooks.children?.length ?? 0) > 1 || hooksBefore) return withoutChild(text, hooks, index);
  return withoutChild(text, root, (root.children ?? []).indexOf(own));
}

const group = ({ command, events }: Hooks, event: string) => ({
  hooks: [{ type: "command", command, timeout: events[event] }],
});

const fresh = (hooks: Hooks) =>
  Object.fromEntries(Object.keys(hooks.events).map((event) => [event, [group(hooks, event)]]));

/** The tree of a file that hooks can be added to. Throws what is wrong with the file, and where. */
function checked({ path, text }: SettingsText): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first || !root) {
    const plain = stripComments(text, " ");
    const found = syntaxComplaint(plain) ?? { ...positionAt(text, first?.offset ?? 0), text: "not JSON" };
    throw broken(`${path}:${found.line}:${found.column}: ${found.text}\n${lineAt(text, found)}`);
  }
  const wrong = misshapen(root);
  if (!wrong) return root;
  const { line, column } = positionAt(text, wrong.node.offset);
  throw broken(`${path}:${line}:${column}: ${wrong.key}: expected ${wrong.expected}`);
}

function misshapen(root: Node): { node: Node; key: string; expected: string } | null {
  if (root.type !== "object") return { node: root, key: "the file", expected: "an object in { }" };
  const hooks = valueAt(root, "hooks");
  if (!hooks) return null;
  if (hooks.type !== "object") return { node: hooks, key: "hooks", expected: "an object in { }" };
  for (const { children: [key, groups] = [] } of hooks.children ?? []) {
    if (groups && groups.type !== "array")
      return { node: groups, key: `hooks.${key?.value}`, expected: "a list in [ ]" };
  }
  return null;
}

const broken = (message: string): RalphError =>
  new RalphError("settings-broken", message, { hint: "correct the file, then try again; nothing was written" });
