import { describe, expect, test } from "vitest";
import { hideKeys, hideValue } from "../secrets.ts";

const PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASC+/==\n-----END RSA PRIVATE KEY-----";
const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N";

test.each([
  ["export DB_PASS=hunter2", "export DB_PASS=***"],
  ["MY_PWD=hunter2", "MY_PWD=***"],
  ["MYSQL_PASSWD: hunter2", "MYSQL_PASSWD: ***"],
  ["aws_secret_access_key = wJalr/K7MDENG", "aws_secret_access_key = ***"],
  ["PASSWORD=$ecret", "PASSWORD=***"],
  ["PASSWORD=$HOME-made", "PASSWORD=***"],
  ['password: "my secret phrase" # x', 'password: "***" # x'],
  ["password='it''s here'", "password='***'"],
  [`PASSWORD="""one\ntwo""" x`, `PASSWORD="""***""" x`],
  ['password: "true words of mine"', 'password: "***"'],
  ['password: "$HOME of mine"', 'password: "***"'],
  ['password: "never closed, it\nnext', 'password: "***\nnext'],
  [String.raw`password: "a \" quote" x`, 'password: "***" x'],
  ['if password == "hunter2":', 'if password == "***":'],
  ["'password' => 'hunter2',", "'password' => '***',"],
  ["api_token: >-\n  abc\n", "api_token: >-\n  ***\n"],
  ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ***"],
  ['{"Authorization":"Bearer abc def"}', '{"Authorization":"Bearer ***"}'],
  ["Set-Cookie: a=b; c=d", "Set-Cookie: ***"],
  ["curl -u me:hunter2 https://example.com", "curl -u *** https://example.com"],
  ["machine example.com login me password hunter2", "machine example.com login me password ***"],
])("by a name: %j", (text, shown) => {
  expect(hideKeys(text)).toBe(shown);
});

test.each([
  [
    String.raw`{"text":"{\"password\": \"hunter2hunter2\", \"x\": 1}"}`,
    String.raw`{"text":"{\"password\": \"***\", \"x\": 1}"}`,
  ],
  [String.raw`{\\\"token\\\":\\\"abc\\\"}`, String.raw`{\\\"token\\\":\\\"***\\\"}`],
  ['{"token":{"value":"a}b c"},"x":1}', '{"token":{"value":"***"},"x":1}'],
  ['{"token":{"id":"a}b","of":[1]},"x":1}', '{"token":***,"x":1}'],
  ['{token:{value:"abc def"}}', '{token:{value:"***"}}'],
  ['{name:"API_TOKEN",value:"abc def"}', '{name:"API_TOKEN",value:"***"}'],
  ["- name: API_TOKEN\n  value: abc\n", "- name: API_TOKEN\n  value: ***\n"],
  ["token:\n  value: abc\nx: y", "token:\n  value: ***\nx: y"],
])("in a structure: %s", (text, shown) => {
  expect(hideKeys(text)).toBe(shown);
});

test.each([
  ...["sk-ant-api03-abcdefghijk", "sk_live_51H8abcdefghijkl", "rk_live_abcdefghijk1", "whsec_abcdefghijklmnop"],
  ...[
    "ghp_abcdefghijklmnop",
    "github_pat_11ABCDEFG_abc",
    "glpat-abcdefghijkl",
    "xoxb-1234567890-abc",
    "xapp-1-A012-345",
  ],
  ...["npm_abcdefghijklmnopqrstuvwxyz012345", "hf_abcdefghijklmnopqrstuv", "SG.abcdefghijklmnop.qrstuvwxyz"],
  ...["AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE", "dop_v1_0123456789abcdef", "AIzaSyA0123456789", JWT],
  ...["1234567890:AAabcdefghijklmnopqrstuvwxyz01234567", PEM, PEM.replaceAll("\n", "\\n"), PEM.replaceAll("\n", "\n+")],
])("by its form: %j", (secret) => {
  for (const [before, after] of [
    ["", ""],
    ["use ", " now"],
    ['{"a":"', '"}'],
    ["KEY_", "\n"],
    ["\u001b[31m", "\u001b[0m"],
  ]) {
    if (secret === JWT && before === "KEY_") continue;
    expect(hideKeys(`${before}${secret}${after}`)).toBe(`${before}***${after}`);
  }
});

test("a private key that was cut off is hidden as far as it goes", () => {
  expect(hideKeys(`${PEM.slice(0, 60)}"}`)).toBe('***"}');
  expect(hideKeys(`${PEM}\n${PEM}\nend`)).toBe("***\n***\nend");
});

test.each([
  ["postgres://u:p@ss@host/db", "postgres://***@host/db"],
  ["postgres://u:p/w@host:5432/db", "postgres://***@host:5432/db"],
  ["amqp://u:p?w#x@host", "amqp://***@host"],
  ["redis://:word@host", "redis://***@host"],
  ["https://ghs0token@github.com/a/b", "https://***@github.com/a/b"],
])("in a URL: %s", (text, shown) => {
  expect(hideKeys(text)).toBe(shown);
});

describe("what only looks like a secret is left:", () => {
  test.each([
    ...[
      "tokens: 1234",
      '"inputTokens": "12"',
      "--max-tokens 5",
      "token_count=5",
      "token_limit: 100",
      "tokenizer: bert",
    ],
    ...[
      "the password field",
      "a token is required",
      "the access-token value",
      "rotate-token",
      "Secrets are never shown",
    ],
    ...["src/token.ts:12: x", "src/secrets/found.ts", "password.test.ts", "Token::new(x)", "process.env.API_TOKEN"],
    ...["if (token === undefined) return;", 'typeof token === "string"', "token: string;", "secret?: string | null"],
    ...['password: ""', "Authorization: Bearer <token>", "TOKEN=$TOKEN", `token="\${TOKEN}"`, "password=$db_password"],
    ...["TOKEN: ${{ secrets.NPM_TOKEN }}", "TOKEN=$(cat file)", "PASSWORD=$1"],
    ...["3f786850e387550fdab836ed7e6dc881de23001b", "550e8400-e29b-41d4-a716-446655440000", "loop ab12cd34"],
    ...["sk-fading-circle", "task-force-one-of-many", "risk-0123456789abcdef", "disk-usage-of-2024"],
    ...["npm_config_registry", "npm_lifecycle_event", "hf_hub_download", "global-configuration-of-things-1"],
    ...[`data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAAAAUA+eyJhAAA/sk/ghp".repeat(20)}`, "eyJhIjoxfQ=="],
    ...["-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----"],
    ...[
      "http://localhost:3000/@scope/name",
      "https://registry.npmjs.org/@types/node",
      "http://[::1]:3000/@a",
      "a://b:1/c@d",
    ],
    ...[
      "docker run -u node:node",
      "curl -u 1000:1000 x",
      "first-pass: 12",
      "compass=north",
      "# pass 3",
      "PWD=/home/me",
    ],
  ])("%s", (text) => {
    expect(hideKeys(text)).toBe(text);
  });
});

test.each([
  ["API_TOKEN", "two words", "***"],
  ["API_TOKEN", "$API_TOKEN", "$API_TOKEN"],
  ["password", "", ""],
  ["title", "the key ghp_0123456789abcdef", "the key ***"],
  ["tokens", "1234", "1234"],
])("the value of %s, %j, is shown as %j", (name, value, shown) => {
  expect(hideValue(name, value)).toBe(shown);
});
