import type { WrittenNode } from "../../../core/schema/workflow-node.ts";
import { type ReadFault, valueFault } from "./fault.ts";

export interface PlacedNode {
  node: WrittenNode;
  at: number;
}

const CHAIN = "every node but the first needs `depends_on` with the node before it, such as [plan]";

/** The nodes in running order, or the faults if they form no chain: every node but the first follows exactly one. */
export function chainOf(nodes: readonly WrittenNode[]): { chain: PlacedNode[]; faults: ReadFault[] } {
  const faults = [...repeatedIds(nodes), ...unknownIds(nodes)];
  if (faults.length > 0) return { chain: [], faults };
  const chain: PlacedNode[] = [];
  const done = new Set<string>();
  let open: PlacedNode[] = nodes.map((node, at) => ({ node, at }));
  while (open.length > 0) {
    const ready = open.filter(({ node }) => (node.depends_on ?? []).every((id) => done.has(id)));
    const [next, other] = ready;
    if (!next) return { chain: [], faults: [circle(open)] };
    if (other) return { chain: [], faults: [branches(next, other, chain.at(-1))] };
    chain.push(next);
    done.add(next.node.id);
    open = open.filter((one) => one !== next);
  }
  return { chain, faults: [] };
}

function repeatedIds(nodes: readonly WrittenNode[]): ReadFault[] {
  return nodes.flatMap(({ id }, i) => {
    const first = nodes.findIndex((other) => other.id.toLowerCase() === id.toLowerCase());
    if (first === i) return [];
    return [valueFault(["nodes", i, "id"], `nodes[${first}] already has the id ${id}`, "use another id")];
  });
}

function unknownIds(nodes: readonly WrittenNode[]): ReadFault[] {
  const known = new Set(nodes.map(({ id }) => id));
  const hint = `name one of ${[...known].slice(0, 10).join(", ")}`;
  return nodes.flatMap(({ depends_on = [] }, i) =>
    depends_on.flatMap((id, j) =>
      known.has(id) ? [] : [valueFault(["nodes", i, "depends_on", j], `there is no node ${id}`, hint)],
    ),
  );
}

function branches(one: PlacedNode, other: PlacedNode, before: PlacedNode | undefined): ReadFault {
  const names = `${one.node.id} and ${other.node.id}`;
  const what = before
    ? `${names} both follow ${before.node.id}: branches are not supported, nodes run one after the other`
    : `${names} both follow no node: several start nodes are not supported, nodes run one after the other`;
  return valueFault(["nodes", other.at, ...(before ? ["depends_on"] : ["id"])], what, CHAIN);
}

function circle(open: readonly PlacedNode[]): ReadFault {
  const [first] = open;
  const ids = open.map(({ node }) => node.id).slice(0, 10);
  const what = `${ids.join(", ")} depend on each other, so none of them can run`;
  return valueFault(["nodes", first?.at ?? 0, "depends_on"], what, CHAIN);
}
