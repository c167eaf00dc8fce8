import * as z from "zod";
import { text } from "./atoms.ts";
import { expected, strict } from "./messages.ts";
import { anyConfig, method } from "./methods.ts";

/** A user-defined template. Its configuration is validated once its parameters are filled in. */
const template = strict(
  {
    verification_method: method.describe("How a claim is verified."),
    verification_config: anyConfig.describe("The configuration of that method, with {{parameters}}.").exactOptional(),
    description: text.describe("What it is for.").exactOptional(),
  },
  "{ verification_method, verification_config }",
);
export type Template = z.infer<typeof template>;

/** Templates by their names. */
export const templates = z.record(
  z.string().regex(/^[A-Za-z0-9][\w.-]*$/, expected("a name of letters, digits, - and _")),
  template,
  expected("a map of names and { verification_method, verification_config }"),
);
export type Templates = z.infer<typeof templates>;
