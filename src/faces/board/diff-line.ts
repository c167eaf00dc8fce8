import { paintTone } from "../terminal/paint.ts";
import { bold } from "./style.ts";

const HEAD =
  /^(?:diff |index |--- |\+\+\+ |new file |deleted file |old mode |new mode |rename |copy |similarity |Binary files )/;

/** A line of a unified diff in its colour. Tabs are widened: a terminal would take them as jumps. */
export function diffLine(line: string): string {
  const text = line.replaceAll("\t", "    ");
  if (HEAD.test(text)) return bold(text);
  if (text.startsWith("@@")) return paintTone("active", text);
  return paintTone(text.startsWith("+") ? "good" : text.startsWith("-") ? "bad" : "plain", text);
}
