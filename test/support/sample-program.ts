import { Argument, Command, Option } from "commander";

/** A program with everything that completion must handle. */
export function sampleProgram(): Command {
  const program = new Command("ralph");
  program
    .command("run")
    .description("it's [a] run: `x`")
    .argument("[loop]")
    .option("-m, --max <n>", "how many")
    .option("--file <path>", "a file")
    .option("--agent <command>", "an agent")
    .option("--json", "as JSON")
    .addOption(new Option("--context <mode>", "which").choices(["fresh", "continue"]));
  const task = program.command("task").description("tasks");
  task
    .command("add-one")
    .description("add")
    .argument("<title>")
    .addArgument(new Argument("[kind]").choices(["a", "b"]));
  program.command("secret", { hidden: true });
  return program;
}
