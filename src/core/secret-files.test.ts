import { expect, test } from "vitest";
import { isSecretFile } from "./secret-files.ts";

const secret = (path: string, text = "x", tracked = false) => isSecretFile({ path, tracked, text: () => text });
const PRIVATE = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n";
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

test.each([
  ...[".env", ".env.local", "app/.env.production", ".ENV", ".envrc", "deploy/db.env", ".env.test.local"],
  ...["id_rsa", ".ssh/id_ed25519", "id_ecdsa_sk", "id_rsa_work", "id_rsa.bak", "server.pem"],
  ...[".env~", ".env copy", ".env copy 2", ".env2", ".env (1)", ".env,v", "prod.env.bak", "prod.env~", ".env.bak~"],
  ...["..env.swp", ".netrc~", ".pgpass.old", "app/.env.orig", ".env-prod", "id_rsa~", "server.pem.save"],
  ...["prod.tfvars", ".credentials.json", "credentials.json.bak", "terraform.tfstate.backup"],
  ...["store.p12", "cert.pfx", "release.keystore", "app.jks", "AuthKey.p8", "vault.kdbx", "putty.ppk"],
  ...[".netrc", ".pgpass", ".git-credentials", "home/.aws/credentials", ".kube/config", "credentials.json"],
  ...["service-account-prod.json", "client_secret_12.json", "terraform.tfstate"],
])("%s is a secret by its name", (path) => {
  expect(secret(path)).toBe(true);
});

test.each([
  ...[".env.example", ".env.sample", ".env.template", ".env.dist", ".env.local.example", "example.env", ".env.schema"],
  ...["id_rsa.pub", "keys/server.key.pub", "id_rsa.ts", "environment.ts", ".environment", "src/env.ts", "env"],
  ...[
    "keyboard.ts",
    "monkey",
    "README.md",
    "credentials.ts",
    ".envoy",
    ".envoy.yaml",
    ".env.d.ts",
    ".env.js",
    ".env.ts",
    ".env.vault",
    ".env.enc",
    ".env.example~",
    "prod.tfvars.example",
    "notes (1).md",
    "main.ts~",
    "credentials.json.example",
    "package.json",
    "config",
  ],
])("%s is not", (path) => {
  expect(secret(path)).toBe(false);
});

test.each<[string, boolean, string, string]>([
  ["a private key under any name", true, "deploy", PRIVATE],
  ["an armoured PGP key", true, "backup.asc", "\n-----BEGIN PGP PRIVATE KEY BLOCK-----\n"],
  ["a certificate", false, "ca.pem", CERTIFICATE],
  ["a certificate with its key", true, "both.pem", `${CERTIFICATE}-----BEGIN PRIVATE KEY-----\n`],
  ["certificates after comments", false, "cacert.pem", `\n##\n## Root certificates\n##\n\n${CERTIFICATE}`],
  ["a key after comments", true, "tls.pem", `# ours\n${PRIVATE}`],
  ["a private key", true, "server.key", PRIVATE],
  ["a private key, copied", true, "server.key.bak", PRIVATE],
  ["a key in base64", true, "app.key", "dGhpcyBpcyBub3QgYSByZWFsIGtleSBhdCBhbGw5OTk=\n"],
  ["a key in hex", true, "config/master.key", "0f1e2d3c4b5a69788796a5b4c3d2e1f0\n"],
  ["a binary key", true, "secret.key", "\u0001\ufffd\u0000\u0017"],
  ["a token", true, "openai.key", "OPENAI_API_KEY=sk-proj-0123456789abcdefghijABCDEFGHIJ\n"],
  ["a password", true, "db.key", "correct-horse-battery\n"],
  ["one line", false, "de.key", "hello=1\n"],
  ["a translation", false, "lang/de.key", "hello=Guten Tag\n"],
  ["a presentation", false, "talk.key", "PK\u0003\u0004\u0000\ufffd"],
  ["a public key", false, "server.key", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A1234\n"],
  ["an .npmrc, copied", true, ".npmrc~", "//registry.example.com/:_authToken=npm_abc\n"],
  ["a public key", false, "verify.pem", "-----BEGIN PUBLIC KEY-----\n"],
  ["source code with a key", false, "auth.test.ts", `const KEY = \`\n${PRIVATE}\`;`],
  ["a page about keys", false, "docs/keys.md", `Create one:\n\n${PRIVATE}`],
  ["a service account", true, "gcp.json", '{ "type": "x", "private_key": "-----BEGIN PRIVATE KEY-----\\n" }'],
  ["an .npmrc with a token", true, ".npmrc", "//registry.example.com/:_authToken=npm_abc\n"],
  ["an .npmrc with the name of a variable", false, ".npmrc", `//registry.example.com/:_authToken=\${NPM_TOKEN}\n`],
  ["an .npmrc with options", false, ".npmrc", "engine-strict=true\n"],
])("%s: %s", (_name, expected, path, text) => {
  expect(secret(path, text)).toBe(expected);
});

test("tracked: keys are known to the repository, values may be new", () => {
  expect(secret("test/fixtures/server.pem", PRIVATE, true)).toBe(false);
  expect([secret(".env", "", true), secret(".npmrc", "_auth=abc", true)]).toEqual([true, true]);
});
