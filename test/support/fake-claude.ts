/** A script for the sandbox's PATH that prints one message in Claude's stream. */
export function fakeClaude(text: string, model = "m"): string {
  const lines = [
    { type: "system", subtype: "init", session_id: "s-1", model },
    { type: "assistant", message: { id: "m-1", model, content: [{ type: "text", text }] }, session_id: "s-1" },
    { type: "result", subtype: "success", is_error: false, result: text, session_id: "s-1" },
  ];
  return `cat > /dev/null\ncat <<'END'\n${lines.map((line) => JSON.stringify(line)).join("\n")}\nEND`;
}
