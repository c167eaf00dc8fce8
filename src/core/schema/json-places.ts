import { getNodePath, type Node, parseTree } from "jsonc-parser";
import { type Complaint, keyName, type Position } from "../complaints.ts";
import type { Fault } from "./faults.ts";
import { camelCase } from "./messages.ts";

/** The faults of a JSON text with their positions, plus every key that is given twice. */
export function locate(source: string, faults: readonly Fault[]): Complaint[] {
  const root = treeOf(source);
  if (!root) return faults.map(({ text }) => ({ ...positionAt(source, 0), text }));
  return [
    ...repeatedKeys(root).map(({ key, first }) => {
      const { line, column } = positionAt(source, first.offset);
      const text = `${keyName(getNodePath(key))}: given twice, first at ${line}:${column}`;
      return { ...positionAt(source, key.offset), text };
    }),
    ...faults.map(({ path, at, text }) => ({ ...positionAt(source, offsetOf(root, path, at)), text })),
  ];
}

/** Finds the position of the value at a path in a JSON text. The text is parsed on the first call. */
export function placesIn(source: string): (path: readonly PropertyKey[]) => Position {
  let root: Node | null | undefined = null;
  return (path) => {
    if (root === null) root = treeOf(source);
    return positionAt(source, root ? offsetOf(root, path, "value") : 0);
  };
}

/** The position of an offset in a text, counted from 1. */
export function positionAt(source: string, offset: number): Position {
  let [line, begin] = [1, 0];
  for (let at = source.indexOf("\n"); at !== -1 && at < offset; at = source.indexOf("\n", begin)) {
    line++;
    begin = at + 1;
  }
  return { line, column: offset - begin + 1 };
}

/** Undefined for a text that is nested too deeply for the parser. */
function treeOf(source: string): Node | undefined {
  try {
    return parseTree(source);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** For a missing key, the offset of the innermost existing parent. */
function offsetOf(root: Node, path: readonly PropertyKey[], at: Fault["at"]): number {
  let node = root;
  for (const [depth, part] of path.entries()) {
    if (node.type === "array") {
      node = node.children?.[Number(part)] ?? node;
      continue;
    }
    // If a key is given twice, the last one wins.
    const [key, value] = node.children?.findLast(({ children }) => isKey(children?.[0]?.value, part))?.children ?? [];
    if (!key || !value) break;
    if (at === "key" && depth === path.length - 1) return key.offset;
    node = value;
  }
  return node.offset;
}

/** Criteria may be spelled in snake_case or camelCase. */
const isKey = (written: unknown, part: PropertyKey): boolean => written === part || written === camelCase(String(part));

/** Without recursion, because the parser accepts deeper nesting than the stack. */
function repeatedKeys(root: Node): { key: Node; first: Node }[] {
  const found: { key: Node; first: Node }[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const child of node.children ?? []) open.push(child);
    if (node.type === "object") found.push(...repeatedIn(node));
  }
  return found;
}

function repeatedIn({ children = [] }: Node): { key: Node; first: Node }[] {
  const firsts = new Map<unknown, Node>();
  return children.flatMap((property) => {
    const [key] = property.children ?? [];
    if (!key) return [];
    const first = firsts.get(key.value);
    if (first) return [{ key, first }];
    firsts.set(key.value, key);
    return [];
  });
}
