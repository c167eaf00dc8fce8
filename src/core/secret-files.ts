/**
 * What a file's name says about secrets in it. `values`: passwords and tokens in a configuration file. `key`: a private
 * key, or a store of keys. `config`: a configuration file that may contain a token.
 */
type SecretName = "values" | "key" | "config";

/** Files that show which variables exist, without their values. */
const EXAMPLE = /(?:^|[._-])(?:examples?|samples?|templates?|tmpl|tpl|dist|defaults?|schema)(?:[._-]|$)/;

const ENVIRONMENT = /^\.env(?:rc)?(?:[._-].*)?$|^[^.].*\.env$/;
const KEY_NAME = /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[_-][\w-]*)?(?:\.(?:bak|old|orig|backup|\d+))?$/;
const KEY_EXTENSION = /\.(?:pem|key|p8|p12|pfx|pkcs12|ppk|jks|jceks|bks|keystore|kdbx?|agekey)$/;
const CREDENTIALS =
  /^(?:[._]netrc|\.pgpass|\.git-credentials|\.vault-token|\.boto|\.s3cfg|\.htpasswd|credentials\.json|kubeconfig|client_secret.*\.json|service[-_]?account.*\.json|.*\.tfstate(?:\.backup)?|.*\.auto\.tfvars|terraform\.tfvars)$|(?:^|\/)(?:\.aws\/credentials|\.kube\/config|\.streamlit\/secrets\.toml)$/;
const CONFIGURATION = /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.dockercfg)$|(?:^|\/)\.docker\/config\.json$/;

/** Whether a file is likely to contain secrets, by its name; null if not. */
export function secretName(path: string): SecretName | null {
  const whole = path.toLowerCase();
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  const is = (pattern: RegExp) => pattern.test(name) || pattern.test(whole);
  if (ENVIRONMENT.test(name)) return EXAMPLE.test(name) ? null : "values";
  if (KEY_NAME.test(name) || KEY_EXTENSION.test(name)) return "key";
  if (is(CREDENTIALS)) return EXAMPLE.test(name) ? null : "values";
  return is(CONFIGURATION) ? "config" : null;
}

const PRIVATE = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
const PUBLIC = /^\s*-----BEGIN (?:[A-Z0-9 ]*PUBLIC KEY|[A-Z0-9 ]*CERTIFICATE(?: REQUEST)?|[A-Z0-9 ]*PARAMETERS)-----/;
const SERVICE_ACCOUNT = /"private_key"\s*:\s*"-----BEGIN/;
/** A value, not the name of a variable: `${NPM_TOKEN}`. */
const TOKEN =
  /(?:_authtoken|_auth|_password|npmauthtoken|npmauthident|password|"auth")["']?\s*[=:]\s*["']?(?!\$)[^\s"']/i;

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
  return (isPrivate && start.trimStart().startsWith("-----BEGIN ")) || SERVICE_ACCOUNT.test(start);
}
