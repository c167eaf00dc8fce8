import { printable } from "../ansi.ts";
import type { Criterion } from "../proof/proved.ts";
import type { CriterionLine } from "./task-page.ts";

/** An acceptance criterion as pages show it: one that was not checked is open, not failing. */
export const criterionLine = ({ text, proved, why }: Criterion): CriterionLine => ({
  text: printable(text),
  is: proved ? "proved" : why === "" ? "open" : "failing",
  why: printable(why),
});
