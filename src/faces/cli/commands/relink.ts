import { printable } from "../../../core/ansi.ts";
import { type LinkCandidate, linkCandidates, relink } from "../../../runtime/relink.ts";
import type { Cli, JsonOption } from "../context.ts";

/** `ralph relink`: without an argument, lists what can be attached. */
export async function relinkCommand(cli: Cli, wanted: string | undefined, { json = false }: JsonOption): Promise<void> {
  if (wanted === undefined) return list(cli, linkCandidates(cli.cwd()), json);
  const linked = await relink(cli.cwd(), wanted);
  if (json) return cli.printJson(linked);
  const { id, path, before } = linked;
  cli.printWords(
    `This repository has the history of ${printable(path ?? id)} (${id}): \`ralph list\` shows its loops.`,
  );
  if (before !== null) cli.printWords(`Its own so far stays in ${before}: \`ralph relink ${before}\` goes back to it.`);
}

const WORDS: Record<LinkCandidate["is"], string> = {
  here: "this repository",
  used: "in use by its repository",
  free: "can be attached",
};

function list(cli: Cli, found: readonly LinkCandidate[], json: boolean): void {
  if (json) cli.printJson(found);
  else if (found.length === 0) cli.printLine(NONE);
  else cli.printTable([["ID", "REPOSITORY", "STATE", "LAST USED"], ...found.map(row)], 1);
}

const NONE = "There are no state folders on this machine yet: the first `ralph run` creates one.";

const row = ({ id, path, is, updatedAtMs }: LinkCandidate): string[] => [
  id,
  printable(path ?? "?"),
  WORDS[is],
  new Date(updatedAtMs).toISOString().slice(0, 16).replace("T", " "),
];
