import { type Document, isAlias, isMap, isScalar, isSeq, type LineCounter, type Node, type Pair } from "yaml";
import type { Position } from "../../core/complaints.ts";
import { camelCase } from "../../core/schema/messages.ts";

/** A path's position, counted from 1; that of the innermost parent for a missing key. `at: "key"`: the key's own. */
export function positionOf(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
  at: "key" | "value" = "value",
): Position {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, part] of path.entries()) {
    const pair = pairAt(resolved(node, document), part);
    if (pair === null) break;
    const wantsKey = at === "key" && depth === path.length - 1;
    // An empty value has no position.
    const empty = isScalar(pair.value) && pair.value.source === "";
    offset = (wantsKey || empty ? startOf(pair.key) : startOf(pair.value)) ?? offset;
    node = pair.value;
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function resolved(node: unknown, document: Document): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

function pairAt(node: unknown, part: PropertyKey): Pick<Pair, "key" | "value"> | null {
  if (isSeq(node)) {
    const value = node.items[Number(part)];
    return value === undefined ? null : { key: value, value };
  }
  if (!isMap(node)) return null;
  const named = (name: string) =>
    node.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === name);
  // Keys may be spelled in snake_case or camelCase.
  return named(String(part)) ?? named(camelCase(String(part))) ?? null;
}

function startOf(node: unknown): number | undefined {
  return isNodeLike(node) ? node.range?.[0] : undefined;
}

const isNodeLike = (node: unknown): node is Node => isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
