/** Set by the build, from package.json. */
declare const RALPH_VERSION: string;

/** Set by the build: a digest of this folder. */
declare const RALPH_CORE: string;

export const VERSION: string = typeof RALPH_VERSION === "string" ? RALPH_VERSION : "0.0.0-source";

/** Identifies the code that derives states from entries: another build may derive other values. */
export const CORE_VERSION: string = typeof RALPH_CORE === "string" ? `${VERSION}+${RALPH_CORE}` : VERSION;
