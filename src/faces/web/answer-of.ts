import type * as z from "zod";

/** What an operation of the server answers. A type of its schema only: schemas would be most of the page. */
export type AnswerOf<Operation extends { answer: unknown }> = z.infer<Extract<Operation["answer"], z.ZodType>>;
