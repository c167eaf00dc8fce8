const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

/** The text without terminal escape sequences. */
export const stripAnsi = (text: string): string => (text.includes("\u001b") ? text.replace(ANSI, "") : text);

/** Somebody else's words on one line of our own: nothing in them can move the cursor or pass for ours. */
export const printable = (text: string): string => stripAnsi(text).replace(CONTROLS, " ").trim();
