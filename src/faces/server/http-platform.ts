/** The platform of conversations over HTTP: it is told by being recorded. */
export const HTTP = "http";
