/** How this program was called, for commands that a person is to type next. */
export const ralphCommand = (): string => (process.env.npm_command === "exec" ? "npx ralph" : "ralph");
