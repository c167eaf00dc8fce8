import * as z from "zod";
import { expected } from "./messages.ts";

// The values that settings and criteria are made of, each with its message.
export const text = z.string(expected("text")).trim().min(1, expected("text that is not empty"));
export const command = z.string(expected("a command")).min(1, expected("a command"));
export const flag = z.boolean(expected("true or false"));
export const secondsSchema = z.number(expected("seconds")).positive(expected("seconds, more than 0"));
export const dollarsSchema = z.number(expected("dollars")).positive(expected("dollars, more than 0"));
export const countSchema = z.int(expected("a whole number")).min(1, expected("a whole number from 1"));
export const countFrom0 = z.int(expected("a whole number")).min(0, expected("a whole number from 0"));
export const listSchema = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item, expected(`a list of ${what}`));
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, expected(`one of ${words.join(", ")}`));
