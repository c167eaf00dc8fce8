/** A pattern of a scope, relative to the root of the checkout; empty for the whole checkout. */
export interface ScopePattern {
  /** Whether it takes paths out of the scope. */
  excludes: boolean;
  glob: string;
}

/**
 * Whether two loops with these scopes could change the same file. Only scopes that provably share no path do not
 * overlap; an empty scope is the whole checkout. Names that differ only in case may be one file.
 */
export function scopesOverlap(one: readonly ScopePattern[], other: readonly ScopePattern[]): boolean {
  const isApart = (a: string, b: string) => areApart(a, b) || isExcluded(a, other) || isExcluded(b, one);
  return allowedIn(one).some((a) => allowedIn(other).some((b) => !isApart(a, b)));
}

/** A scope of exclusions alone allows nothing. */
function allowedIn(scope: readonly ScopePattern[]): string[] {
  return scope.length === 0 ? [""] : scope.filter(({ excludes }) => !excludes).map(({ glob }) => glob);
}

/** Whether the whole pattern is alternatives (`src|lib`) or a negation: its parts then say nothing about its paths. */
function isUnbounded(glob: string): boolean {
  if (glob.startsWith("!")) return true;
  if (!glob.includes("|")) return false;
  if (/[[\\]/.test(glob)) return true;
  let [before, outside] = ["", glob];
  while (before !== outside) [before, outside] = [outside, outside.replace(/\([^()]*\)/g, "")];
  return outside.includes("|");
}

/** Whether an exclusion that is a plain path covers everything that the pattern could match. */
const isExcluded = (glob: string, scope: readonly ScopePattern[]): boolean =>
  !isUnbounded(glob) &&
  scope.some(({ excludes, glob: without }) => {
    const plain = partsOf(without.replace(/\/\*\*$/, ""));
    const parts = partsOf(glob);
    return excludes && plain.every((part, i) => !WILD.test(part) && part === parts[i]);
  });

/** A pattern also matches everything below its paths, so the shorter one decides how far they are compared. */
function areApart(one: string, other: string): boolean {
  if (isUnbounded(one) || isUnbounded(other)) return false;
  const [a, b] = [partsOf(one.toLowerCase()), partsOf(other.toLowerCase())];
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i] ?? "", b[i] ?? ""];
    if (startsDiffer(x, y)) return true;
    if (!isOneName(x) || !isOneName(y)) return false;
    if (endsDiffer(x, y)) return true;
  }
  return false;
}

const partsOf = (glob: string): string[] =>
  glob
    .normalize("NFC")
    .split("/")
    .filter((part) => part !== "");

const WILD = /[*?[\]{}()!+@\\|]/;

/** Names such as `[slug]` and `(group)` are also what they say, so nothing after their bracket is compared. */
const startOf = (part: string): string => part.slice(0, WILD.exec(part)?.index ?? part.length);

function startsDiffer(one: string, other: string): boolean {
  const [a, b] = [startOf(one), startOf(other)];
  return !(a.startsWith(b) || b.startsWith(a)) || differsPlainly(one, other);
}

const differsPlainly = (one: string, other: string): boolean => !WILD.test(one) && !WILD.test(other) && one !== other;

/** Whether the pattern matches exactly one name of a path: no globstar, and no group that may contain a slash. */
const isOneName = (part: string): boolean =>
  !part.includes("**") && !/[{}()\\|]/.test(part) && (!part.includes("[") || /^[^[\]]*\[[^[\]]*\][^[\]]*$/.test(part));

/** Of `*.ts` and `*.css` no name matches both. */
function endsDiffer(one: string, other: string): boolean {
  const [a, b] = [endOf(one), endOf(other)];
  return !(a.endsWith(b) || b.endsWith(a));
}

const endOf = (part: string): string => /[^*?[\]{}()!+@\\|]*$/.exec(part)?.[0] ?? "";
