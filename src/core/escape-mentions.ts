/** A text whose `@here` and similar mentions notify no one; the rest is unchanged. */
export const uncalled = (text: string): string => text.replace(/@(?=channel|here|everyone|all\b)/gi, "@\u200b");

/** An agent's messages must not notify chat users: `<!channel>`, `<@user>` and `@here` become plain text. */
export const unaddressed = (text: string): string => uncalled(text.replaceAll("<", "‹").replaceAll(">", "›"));
