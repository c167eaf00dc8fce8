/** Set by the build, from package.json. */
declare const RALPH_VERSION: string;

export const VERSION: string = typeof RALPH_VERSION === "string" ? RALPH_VERSION : "0.0.0-source";
