import * as z from "zod";
import { jsonIn } from "../json-text.ts";

const words = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

/** The expected answer of a judge. */
const judgement = z.object({
  findings: z.array(
    z.object({
      criterion: z.int().min(1),
      is: z.enum(["proved", "weak", "missing", "contradicted"]),
      quote: words,
      reason: words,
    }),
  ),
});
export type Judgement = z.infer<typeof judgement>;

/** Parses a judge's answer: one JSON object, perhaps with text or a code fence around it. Null if it is not valid. */
export function readJudgement(answer: string): Judgement | null {
  const found = judgement.safeParse(jsonIn(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1)));
  return found.success ? found.data : null;
}
