import { createHash } from "node:crypto";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { contentAt, namesIn } from "../../adapters/io/look.ts";
import { errorResponse, Refusal } from "./refusal.ts";
import { newSecret } from "./secret.ts";

/** The dashboard: an HTML shell for every path that is a page, and the files that it loads. */
export interface Page {
  isItsPath(path: string): boolean;
  answer(request: Pick<Request, "method" | "headers">, path: string): Response;
}

const ASSETS = "/assets/";
const PLACE_CHARS = 12;
const LOGIN = "/login";
/** The pages of a program that had the port before. Links have a query of their own, so that this one is asked for. */
const FORGET = { "clear-site-data": '"cache"', "cache-control": "no-store" };
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};
/** What the build names them: the hash makes them immutable. */
const FILE = new RegExp(`^(?<name>[\\w-]+)-[0-9A-Z]{8}\\.(?<type>${Object.keys(TYPES).join("|")})$`);
const MOST_BYTES = 8 << 20;

const POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "connect-src", "worker-src", "font-src"].map((what) => `${what} 'self'`),
  "img-src 'self' data:",
  ...["base-uri", "form-action", "frame-ancestors"].map((what) => `${what} 'none'`),
  "require-trusted-types-for 'script'",
  "trusted-types ralph",
].join("; ");

interface Served {
  plain: Uint8Array<ArrayBuffer>;
  zipped: Uint8Array<ArrayBuffer>;
  headers: Readonly<Record<string, string>>;
}

/**
 * Reads the built page into memory: no path of a request reaches the file system. `taken`: paths of operations. The
 * files are at a new address after every start: a program that had the port before may have left files of its own
 * under the old one in the browser's cache.
 */
export function pageIn(folder: string, taken: readonly string[]): Page {
  const names = namesIn(folder).filter((name) => FILE.test(name));
  const place = `${ASSETS}${newSecret().slice(0, PLACE_CHARS)}/`;
  const assets = new Map(names.map((name) => [`${place}${name}`, assetOf(join(folder, name))]));
  const shell = shellOf(names, place);
  const login = shell && { ...shell, headers: { ...shell.headers, ...FORGET } };
  const others = new Set([...taken, ASSETS].map(firstOf));
  const isPage = (path: string) => !others.has(firstOf(path)) && !firstOf(path).includes(".");
  return {
    isItsPath: (path) => path.startsWith(ASSETS) || isPage(path),
    answer(request, path) {
      if (request.method !== "GET" && request.method !== "HEAD") return refusal(wrongMethod(request.method));
      const found = path.startsWith(ASSETS) ? assets.get(path) : path === LOGIN ? login : shell;
      if (found) return respond(found, request.headers);
      return refusal(
        path.startsWith(ASSETS) ? new Refusal(404, "no-such-path", "there is no such file", RELOAD) : MISSING,
      );
    },
  };
}

const refusal = (refused: Refusal): Response => errorResponse(refused, () => undefined);
const firstOf = (path: string): string => path.split("/")[1] ?? "";
const RELOAD = "reload the page: the server may have been updated";
const MISSING = new Refusal(
  503,
  "page-missing",
  "this build of Ralph has no dashboard; the API works",
  "in a checkout, `npm run build` builds it; then restart `ralph serve`",
);

const wrongMethod = (method: string): Refusal =>
  new Refusal(405, "method", `${method} is not allowed for a page`, "use GET", { allow: "GET, HEAD" });

function assetOf(path: string): Served {
  const type = TYPES[FILE.exec(path.slice(path.lastIndexOf("/") + 1))?.groups?.type ?? ""] ?? "";
  return served(contentAt(path, MOST_BYTES) ?? Buffer.alloc(0), {
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    // A worker has the policy of its own script.
    "content-security-policy": POLICY,
  });
}

/** Null if the page was not built. */
function shellOf(names: readonly string[], place: string): Served | null {
  const pathOf = (name: string, type: string) => {
    const found = names.find((one) => FILE.exec(one)?.groups?.name === name && one.endsWith(`.${type}`));
    return found ? `${place}${found}` : null;
  };
  const script = pathOf("page", "js");
  if (script === null) return null;
  return served(Buffer.from(htmlOf(script, pathOf("page", "css"))), {
    "content-type": "text/html; charset=utf-8",
    // Always asked for: it names the current files.
    "cache-control": "no-cache",
    "content-security-policy": POLICY,
  });
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  "%3Cpath fill='none' stroke='%232a7' stroke-width='2.5' d='M13.5 8A5.5 5.5 0 1 1 11 3.4M11 0v4H7'/%3E%3C/svg%3E";

/** No scripts and styles of its own: the policy forbids them. */
const htmlOf = (script: string, style: string | null): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ralph</title>
<link rel="icon" href="${ICON}">
${style ? `<link rel="stylesheet" href="${style}">\n` : ""}<script type="module" src="${script}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page needs JavaScript. In a terminal, <code>ralph board</code> shows the same.</noscript>
</body>
</html>
`;

function served(plain: Buffer, headers: Readonly<Record<string, string>>): Served {
  const digest = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  // Weak: it is the same for both encodings.
  const zipped = gzipSync(plain, { level: 9 });
  const shared = { plain: new Uint8Array(plain), zipped: new Uint8Array(zipped) };
  return { ...shared, headers: { ...headers, etag: `W/"${digest}"` } };
}

function respond({ plain, zipped, headers }: Served, asked: Headers): Response {
  const all = { ...headers, vary: "accept-encoding" };
  if (isKnown(asked.get("if-none-match"), headers.etag ?? "")) return new Response(null, { status: 304, headers: all });
  const isZipped = takesGzip(asked.get("accept-encoding") ?? "");
  const body = isZipped ? zipped : plain;
  const more = { "content-length": String(body.length), ...(isZipped ? { "content-encoding": "gzip" } : {}) };
  return new Response(body, { headers: { ...all, ...more } });
}

const isKnown = (given: string | null, etag: string): boolean =>
  (given ?? "").split(",").some((one) => [etag, etag.slice(2), "*"].includes(one.trim()));

const takesGzip = (accepted: string): boolean =>
  accepted.split(",").some((one) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one));
