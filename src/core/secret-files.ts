/**
 * What a file's name says about secrets in it. `values`: passwords and tokens in a configuration file. `key`: a private
 * key, or a store of keys. `config`: a configuration file that may contain a token. `maybe-key`: the extension of a key,
 * which other files have, too.
 */
type SecretName = "values" | "key" | "config" | "maybe-key";

/** Files that show which variables exist, without their values. */
const EXAMPLE = /(?:^|[._-])(?:examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema)(?:[._-]|$)/;
/** Source code that is named for an environment, and encrypted forms: made to be committed. */
const CODE_OR_ENCRYPTED = /\.(?:[cm]?[jt]sx?|vault|enc|encrypted|gpg|asc|age|sops|sealed)$/;
/** What editors, file managers and people add to the name of a copy. */
const COPY_ENDING = /(?:~|,v|[ ._-]copy(?: ?\d+)?| ?\(\d+\)|\.(?:bak|bkp|backup|orig|old|save|sw[a-p])\d*|[._-]\d+)$/;

/** `.env2` and `.env_prod`, but not `.envoy` or `.environment`. */
const ENVIRONMENT = /^\.env(?:rc)?(?:[^a-z].*)?$|^[^.].*\.env$/;
const KEY_NAME = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[_-][\w-]*)?$/;
const KEY_EXTENSION = /\.(?:pem|p8|p12|pfx|pkcs12|ppk|jks|jceks|bks|keystore|kdbx?|agekey)$/;
const CREDENTIALS =
  /^(?:[._]netrc|\.pgpass|\.git-credentials|\.vault-token|\.boto|\.s3cfg|\.htpasswd|\.?credentials\.json|kubeconfig|client_secret.*\.json|service[-_]?account.*\.json|.*\.tfstate|.*\.tfvars)$|(?:^|\/)(?:\.aws\/credentials|\.kube\/config|\.streamlit\/secrets\.toml)$/;
const CONFIGURATION = /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.dockercfg)$|(?:^|\/)\.docker\/config\.json$/;

/** Whether a file is likely to contain secrets, by its name; null if not. */
export function secretName(path: string): SecretName | null {
  const whole = originalOf(path.toLowerCase());
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  const is = (pattern: RegExp) => pattern.test(name) || pattern.test(whole);
  if (ENVIRONMENT.test(name)) return EXAMPLE.test(name) || CODE_OR_ENCRYPTED.test(name) ? null : "values";
  if (KEY_NAME.test(name) || KEY_EXTENSION.test(name)) return "key";
  if (name.endsWith(".key")) return "maybe-key";
  if (is(CREDENTIALS)) return EXAMPLE.test(name) ? null : "values";
  return is(CONFIGURATION) ? "config" : null;
}

/** The path that a backup is a copy of: `.env.bak~` is `.env`. Vim's `.name.swp` has a dot of its own. */
function originalOf(path: string): string {
  let original = path.replace(/(^|\/)\.(\.?[^/]+)\.sw[a-p]$/, "$1$2");
  for (let before = ""; before !== original; ) {
    before = original;
    original = original.replace(COPY_ENDING, "");
  }
  return original;
}

const PRIVATE = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
const PUBLIC = /^\s*-----BEGIN (?:[A-Z0-9 ]*PUBLIC KEY|[A-Z0-9 ]*CERTIFICATE(?: REQUEST)?|[A-Z0-9 ]*PARAMETERS)-----/m;
const SERVICE_ACCOUNT = /"private_key"\s*:\s*"-----BEGIN/;
/** A value, not the name of a variable: `${NPM_TOKEN}`. */
const TOKEN =
  /(?:_authtoken|_auth|_password|npmauthtoken|npmauthident|password|"auth")["']?\s*[=:]\s*["']?(?!\$)[^\s"']/i;
/** A long text in hex or base64 that is all of a line, or all of its value. */
const LONG_TOKEN =
  /^\s*(?:[\w.-]+\s*[=:]\s*)?["']?(?:[a-f0-9]{32,}|(?=\S*\d)[\w+/-]{32,}={0,2}|AGE-SECRET-KEY-\w+)["']?\s*$/im;
const ONLY_WORD = /^\s*[^\s=]{12,}={0,2}\s*$/;
const ARCHIVE = /^PK\u0003\u0004/;
const BINARY = /[\0\ufffd]/;

export interface SecretFile {
  path: string;
  /** Whether the last commit has a file there: a repository that tracks a key has decided to. */
  tracked: boolean;
  /** The beginning of its text. Called only if the name does not decide. */
  text(): string;
}

/** How much of a file decides. */
export const SECRET_TEXT_BYTES = 8 << 10;

/** Whether a file may not be committed without the user. A key inside source code is not looked for. */
export function isSecretFile({ path, tracked, text }: SecretFile): boolean {
  const named = secretName(path);
  if (named === "values") return true;
  if (named === "config") return TOKEN.test(text());
  if (tracked) return false;
  const start = text();
  const isPrivate = PRIVATE.test(start);
  if (named === "key") return isPrivate || !PUBLIC.test(start);
  if (named === "maybe-key") return isPrivate || looksLikeKey(start);
  return (isPrivate && start.trimStart().startsWith("-----BEGIN ")) || SERVICE_ACCOUNT.test(start);
}

/** Of a file without the header of a private key: whether it is random, and neither an archive nor a public key. */
const looksLikeKey = (start: string): boolean =>
  !ARCHIVE.test(start) &&
  !PUBLIC.test(start) &&
  (BINARY.test(start) || LONG_TOKEN.test(start) || ONLY_WORD.test(start));
