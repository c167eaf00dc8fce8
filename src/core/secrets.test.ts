import { expect, test } from "vitest";
import { hideKeys, hideSecrets, hideSecretWords, openValue } from "./secrets.ts";

test.each([
  ["https://hooks.example.com/services/T0/B0/abcdef", "https://hooks.example.com/***"],
  ["https://example.com?key=abc", "https://example.com/***"],
  ["https://me:word@example.com", "https://***@example.com"],
  ["postgres://me:word@localhost:5432/db", "postgres://***@localhost:5432/***"],
  ["http://localhost:3000/", "http://localhost:3000/"],
  ["--api-key abc", "--api-key ***"],
  ["--api-key=abc --model opus", "--api-key=*** --model opus"],
  ["--openai-api-key 'abc' -v", "--openai-api-key '***' -v"],
  ["GITHUB_TOKEN=abc npm test", "GITHUB_TOKEN=*** npm test"],
  ['"password": "abc",', '"password": "***",'],
  ['"flags": ["--auth-token", "abc", "-v"]', '"flags": ["--auth-token", "***", "-v"]'],
  ["curl -H 'Authorization: Bearer abc.def' x", "curl -H 'Authorization: Bearer ***' x"],
  ["codex sk-proj-0123456789abcdef", "codex ***"],
  ["push ghp_0123456789abcdef now", "push *** now"],
])("hides the secret in %s", (text, shown) => {
  expect(hideSecrets(text)).toBe(shown);
});

test.each([
  "npm test -- --reporter=dot",
  '"maxTokens": 1000',
  "--max-tokens 4000",
  "--token --verbose",
  "./check-tokens.sh all",
  "node --test test/secrets.test.js",
  "task-force one",
])("leaves %s alone", (text) => {
  expect(hideSecrets(text)).toBe(text);
});

test("hides the word after a flag with a secret's name", () => {
  expect(hideSecretWords(["--api-key", "abc", "--model", "opus", "--token", "-v"])).toEqual([
    "--api-key",
    "***",
    "--model",
    "opus",
    "--token",
    "-v",
  ]);
});

test("is fast on a long text", () => {
  const text = `${"a".repeat(200_000)} ${"a-".repeat(100_000)} ${"://".repeat(50_000)}`;
  expect(hideSecrets(text)).toHaveLength(text.length);
});

test.each([
  ["curl -f http://localhost:3000/health?deep=1", "curl -f http://localhost:3000/health?deep=1"],
  ["curl https://me:word@example.com/health", "curl https://***@example.com/health"],
  ["curl https://hooks.example.com/services/T0/B0/x", "curl https://hooks.example.com/***"],
  ["TOKEN=abc npm test", "TOKEN=*** npm test"],
  ["TOKEN=$TOKEN npm test", "TOKEN=$TOKEN npm test"],
  ['deploy --token "$TOKEN" --dry', 'deploy --token "$TOKEN" --dry'],
  ["deploy --token abc --dry", "deploy --token *** --dry"],
  ["echo ghp_0123456789abcdef", "echo ***"],
  ["\u001b[31mghp_0123456789abcdef\u001b[0m", "\u001b[31m***\u001b[0m"],
])("a command to be run again loses only its secrets: %s", (text, shown) => {
  expect(hideKeys(text)).toBe(shown);
});

test.each([
  ["API_TOKEN", "abc", null],
  ["MODE", "fast", "fast"],
  ["MODE", "sk-0123456789abcdef", null],
  ["HOOK", "https://hooks.example.com/services/T0", null],
])("the value of %s=%s is shown as %j", (name, value, shown) => {
  expect(openValue(name, value)).toBe(shown);
});
