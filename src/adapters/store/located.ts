import type { Locations } from "../../core/location.ts";

/**
 * A port whose implementation sees names where its callers see paths of this machine: the one place where what is
 * journalled is turned into names, and back, whatever the store.
 */
export function located<Port extends object>(port: Port, locations: Locations): Port {
  const members = Object.entries(port).map(([name, member]): [string, unknown] => {
    if (typeof member === "function") return [name, throughNames(member as Work, locations)];
    return [name, typeof member === "object" && member !== null ? located(member, locations) : member];
  });
  return Object.fromEntries(members) as Port;
}

type Work = (...given: unknown[]) => unknown;

const throughNames =
  (work: Work, locations: Locations): Work =>
  (...given) =>
    asPaths(work(...given.map((one) => asNames(one, locations))), locations);

function asNames(given: unknown, locations: Locations): unknown {
  // A callback sits on the other side: it is given names, and what it returns is journalled.
  if (typeof given === "function") {
    return (...told: unknown[]) => locations.named((given as Work)(...told.map((one) => locations.located(one))));
  }
  return locations.named(given);
}

function asPaths(result: unknown, locations: Locations): unknown {
  if (result instanceof Promise) return result.then((value: unknown) => locations.located(value));
  if (typeof result === "object" && result !== null && Symbol.asyncIterator in result) {
    return eachLocated(result as AsyncIterable<unknown>, locations);
  }
  return typeof result === "function" ? throughNames(result as Work, locations) : locations.located(result);
}

async function* eachLocated(values: AsyncIterable<unknown>, locations: Locations): AsyncGenerator<unknown> {
  for await (const value of values) yield locations.located(value);
}
