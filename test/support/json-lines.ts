/** Every line of an output, parsed; throws at the first one that is not JSON. */
export function linesOf(output: string): unknown[] {
  if (!output.endsWith("\n")) throw new Error(`not whole lines: ${JSON.stringify(output.slice(-200))}`);
  return output
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
