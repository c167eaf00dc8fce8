import { readText } from "../../../adapters/io/text-file.ts";
import { openWorkspace } from "../../../adapters/store/workspace.ts";
import { printable, printableText } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import { specDocument, specSummaryDocument } from "../../../core/task/document.ts";
import { ID_WORDS, isId } from "../../../core/task/task.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { agoOf, printJson, printLine, table } from "../print.ts";

interface CreateOptions {
  title?: string;
  file?: string;
  json?: boolean;
}

/** `ralph spec create`. */
export async function specCreateCommand(id: string, { title, file, json }: CreateOptions): Promise<number> {
  const cwd = process.cwd();
  if (!isId(id)) {
    throw new RalphError("spec-id", `${JSON.stringify(id)} cannot be the id of a spec`, {
      hint: `an id has ${ID_WORDS}`,
    });
  }
  const hint = "--file names a text, mostly Markdown, in UTF-8";
  const content = file === undefined ? "" : await readText({ file, cwd, what: "spec file", hint });
  const workspace = await openWorkspace(cwd, { create: true });
  const { tasks, store } = workspace;
  try {
    // Its text reaches the prompts of the tasks that name it.
    if (await tasks.spec(id)) refuseAgents(workspace, "ralph spec create for a spec that is there");
    const spec = await tasks.createSpec({ id, title: title ?? headingOf(content) ?? id, content }, Date.now());
    if (json) printJson(specDocument(spec));
    else printLine(`Created spec ${spec.id}: ${printable(spec.title)}`);
    return EXIT.verified;
  } finally {
    store.close();
  }
}

/** The first heading of a Markdown text. */
const headingOf = (content: string): string | undefined => /^#{1,6}[ \t]+(\S.*?)[ \t#]*$/m.exec(content)?.[1];

/** `ralph spec list`. */
export async function specListCommand({ json = false }: { json?: boolean }): Promise<number> {
  const { tasks, store } = await openWorkspace(process.cwd());
  try {
    const specs = await tasks.specs();
    if (json) {
      printJson(specs.map(specSummaryDocument));
    } else if (specs.length === 0)
      printLine("No specs here yet. Write one down: ralph spec create my-spec --file spec.md");
    else {
      const rows = specs.map(({ id, title, done, tasks, createdAtMs }) => [
        id,
        `${done}/${tasks}`,
        agoOf(createdAtMs),
        printable(title),
      ]);
      printLine(table([["SPEC", "DONE", "CREATED", "TITLE"], ...rows]));
    }
    return EXIT.verified;
  } finally {
    store.close();
  }
}

/** `ralph spec show`. */
export async function specShowCommand(id: string, { json = false }: { json?: boolean }): Promise<number> {
  const { tasks, store } = await openWorkspace(process.cwd());
  try {
    const spec = await tasks.spec(id);
    if (!spec) throw new RalphError("spec-unknown", `there is no spec ${id}`, { hint: "`ralph spec list` shows them" });
    const counts = await tasks.counts(id);
    if (json) printJson({ ...specDocument(spec), tasks: counts });
    else {
      const told = Object.entries(counts).map(([status, number]) => `${number} ${status}`);
      printLine(`${spec.id}: ${printable(spec.title)}`);
      printLine(`tasks: ${told.join(", ") || "none"}   (ralph task list --spec ${spec.id})`);
      if (spec.content) printLine(`\n${printableText(spec.content)}`);
    }
    return EXIT.verified;
  } finally {
    store.close();
  }
}
