/** What Ralph would run because of a task's own criteria. */
export function TaskCommands({ commands }: { commands: readonly string[] }) {
  if (commands.length === 0) return <p class="soft">It names no command of its own.</p>;
  return (
    <>
      <p>It would run:</p>
      <ul class="commands">
        {commands.map((command) => (
          <li key={command}>
            <code>{command}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
