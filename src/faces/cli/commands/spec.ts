import { readText } from "../../../adapters/io/text-file.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable, printableText } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { specDocument, specSummaryDocument } from "../../../core/task/document.ts";
import { ID_WORDS, isId } from "../../../core/task/task.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import type { Cli, JsonOption } from "../context.ts";
import { reportNext } from "../output/next.ts";
import { agoOf } from "../output/phrases.ts";

interface CreateOptions {
  title?: string;
  file?: string;
  json?: boolean;
}

export async function specCreateCommand(cli: Cli, id: string, { title, file, json }: CreateOptions): Promise<void> {
  const cwd = cli.cwd();
  if (!isId(id)) {
    throw new RalphError("spec-id", `${JSON.stringify(id)} cannot be the id of a spec`, {
      hint: `an id has ${ID_WORDS}`,
    });
  }
  const hint = "--file is a UTF-8 text file, usually Markdown";
  const content = file === undefined ? "" : await readText({ file, cwd, what: "spec file", hint });
  return inWorkspace({ cwd: cli.cwd(), create: true }, async (workspace) => {
    const { tasks } = workspace;
    // Its text is in the prompts of its tasks.
    if (await tasks.spec(id)) refuseAgents(workspace, "ralph spec create for an existing spec");
    const spec = await tasks.createSpec({ id, title: title ?? headingOf(content) ?? id, content }, Date.now());
    if (json) cli.printJson(specDocument(spec));
    else {
      cli.printLine(`Created spec ${spec.id}: ${printable(spec.title)}`);
      reportNext(cli, `ralph task add "…" --spec ${spec.id}`);
    }
  });
}

const headingOf = (content: string): string | undefined => /^#{1,6}[ \t]+(\S.*?)[ \t#]*$/m.exec(content)?.[1];

export async function specListCommand(cli: Cli, { json = false }: JsonOption): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async ({ tasks }) => {
    const specs = await tasks.specs();
    if (json) {
      cli.printJson(specs.map(specSummaryDocument));
    } else if (specs.length === 0)
      cli.printLine("No specs here yet. Create one: ralph spec create my-spec --file spec.md");
    else {
      const rows = specs.map(({ id, title, done, tasks, createdAtMs }) => [
        id,
        `${done}/${tasks}`,
        agoOf(createdAtMs),
        printable(title),
      ]);
      cli.printTable([["SPEC", "DONE", "CREATED", "TITLE"], ...rows]);
    }
  });
}

export async function specShowCommand(cli: Cli, id: string, { json = false }: JsonOption): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async ({ tasks }) => {
    const spec = await tasks.spec(id);
    if (!spec) throw new RalphError("spec-unknown", `there is no spec ${id}`, { hint: "`ralph spec list` shows them" });
    const counts = await tasks.counts(id);
    if (json) cli.printJson({ ...specDocument(spec), tasks: counts });
    else {
      const statuses = Object.entries(counts).map(([status, number]) => `${number} ${status}`);
      cli.printLine(`${spec.id}: ${printable(spec.title)}`);
      cli.printLine(`tasks: ${statuses.join(", ") || "none"}   (ralph task list --spec ${spec.id})`);
      if (spec.content) cli.printLine(`\n${printableText(spec.content)}`);
    }
  });
}
