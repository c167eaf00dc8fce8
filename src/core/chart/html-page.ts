import { escaped } from "./svg.ts";

const PAGE_STYLE = `
:root{color-scheme:light dark}
body{margin:0 auto;padding:24px 16px 48px;max-width:874px;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;background:#fff;color:#1f2733}
h1{font-size:24px;margin:0}h2{font-size:18px;margin:36px 0 4px}p{margin:0 0 8px;color:#5d6878}
@media (prefers-color-scheme:dark){body{background:#12161c;color:#e6eaf0}p{color:#9aa5b4}}
`;

interface Page {
  title: string;
  /** Added to the style of every page. */
  style: string;
  /** Markup: text by others is escaped already. */
  body: readonly string[];
  made: string;
}

/** A page in one file: nothing is loaded, no script runs; dark or light as the reader's system is. */
export const htmlPage = ({ title, style, body, made }: Page): string =>
  [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // Text by others could not run even if it got here unescaped.
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}${PAGE_STYLE}</style>\n</head>\n<body>`,
    `<h1>${escaped(title)}</h1>`,
    ...body,
    `<p style="margin-top:36px">${escaped(made)}</p>`,
    "</body>\n</html>\n",
  ].join("\n");
