import { codeOf, messageOf, RalphError } from "../../core/errors.ts";

/** The bundled files of Ralph, of which this is one. */
const OWN = import.meta.dirname;

/** Parts of Ralph are loaded when they are needed: after an update, those of a program that still runs are gone. */
export function namingUpdate(error: unknown): unknown {
  const isGone = codeOf(error) === "ERR_MODULE_NOT_FOUND" && messageOf(error).includes(`imported from ${OWN}`);
  if (!isGone) return error;
  return new RalphError("ralph-updated", "Ralph was updated or removed while this was running", {
    hint: "start it again",
    exitCode: 1,
    cause: error,
  });
}
