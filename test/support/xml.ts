/** An element of a document. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  /** The text directly inside it. */
  text: string;
}

const TOKEN = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/u;
const BAD_AMPERSAND = /&(?!(?:amp|lt|gt|quot|#39);)/;

/** Every element of a document, in document order. Throws if it is not well-formed XML. */
export function readXml(source: string): XmlElement[] {
  if (FORBIDDEN.test(source)) throw new Error("a character that XML does not allow");
  if (BAD_AMPERSAND.test(source)) throw new Error("an ampersand that begins no entity");
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  let at = 0;
  for (const token of source.matchAll(TOKEN)) {
    at = token.index + token[0].length;
    const { 1: slash, 2: name = "", 3: list = "", 4: alone, 5: text } = token;
    if (text !== undefined) addText(open.at(-1), text);
    else if (slash) close(open.pop(), name);
    else {
      const element = { name, attributes: attributesIn(list), text: "" };
      elements.push(element);
      if (!alone) open.push(element);
    }
  }
  if (at !== source.length) throw new Error(`not XML: ${source.slice(at, at + 80)}`);
  if (open.length > 0) throw new Error(`<${open.at(-1)?.name}> is not closed`);
  return elements;
}

function addText(parent: XmlElement | undefined, text: string): void {
  if (parent) parent.text += unescaped(text);
  else if (text.trim() !== "") throw new Error(`text outside of any element: ${text}`);
}

function close(last: XmlElement | undefined, name: string): void {
  if (last?.name !== name) throw new Error(`</${name}> closes nothing`);
}

function attributesIn(list: string): Record<string, string> {
  const found = [...list.matchAll(/([\w:-]+)="([^"]*)"/g)].map(({ 1: name = "", 2: value = "" }) => [name, value]);
  const all = Object.fromEntries(found);
  if (Object.keys(all).length !== found.length) throw new Error(`an attribute twice: ${list}`);
  return all;
}

const SIGNS: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescaped = (text: string): string => text.replace(/&([^;]+);/g, (_, name: string) => SIGNS[name] ?? "?");
