/*
 * The plugin may be installed for a person and for a project, or loaded again without having been closed: every copy is
 * told everything. Only the last one that was loaded for a folder acts; what they share is the process.
 */
const SHARED = Symbol.for("ralph-engine/opencode");

function last(): Map<string, object> {
  const shared: unknown = Reflect.get(globalThis, SHARED);
  if (shared instanceof Map) return shared;
  const made = new Map<string, object>();
  Reflect.set(globalThis, SHARED, made);
  return made;
}

/** Takes over from the copy that acted for the folder; returns what identifies the new one. */
export function supersede(folder: string): object {
  const me = {};
  last().set(folder, me);
  return me;
}

export const isSuperseded = (folder: string, me: object): boolean => last().get(folder) !== me;
