/** A text as a piece of an address: `Hello, world` becomes `hello-world`. */
export const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
