import type { Template } from "../schema/template.ts";
import { quoted } from "../shell.ts";

/** The parameters of a template, by their snake_case names. */
export type Parameters = Readonly<Record<string, Parameter>>;
export type Parameter = string | number | boolean | readonly (string | number | boolean)[];

/** A built-in template, with its optional and required parameters. */
export interface BuiltIn extends Template {
  /** Its command, if that depends on the parameters. */
  command?(parameters: Parameters): string;
  required: readonly string[];
  optional: readonly string[];
  /** The first invalid parameter, if any, and what is wrong with it. */
  complaint?(parameters: Parameters): { key?: string; text: string } | null;
}

const plain = (command: string, description: string): BuiltIn => ({
  verification_method: "external",
  verification_config: { command },
  description,
  required: [],
  optional: [],
});

// Node is available wherever Ralph runs; curl may not be. The first line is what is displayed.
const HTTP_HEALTH = `# http-health
node -e '
  const [url, status] = process.argv.slice(1);
  const redirect = status.startsWith("3") ? "manual" : "follow";
  fetch(url, { redirect, signal: AbortSignal.timeout(10000) }).then(
    (answer) => {
      console.log(url + " answers " + answer.status + ", expected " + status);
      process.exit(answer.status === Number(status) ? 0 : 1);
    },
    (error) => {
      console.log(url + ": " + (error.cause?.message || error.message));
      process.exit(1);
    },
  );
' "$RALPH_PARAM_URL" "\${RALPH_PARAM_EXPECT_STATUS:-200}"`;

/** The built-in templates. */
export const BUILT_IN: Readonly<Record<string, BuiltIn>> = {
  "npm-test": plain("npm test", "The project's tests."),
  vitest: plain("npx --no-install vitest run", "Vitest, once."),
  pytest: plain("pytest", "Pytest."),
  cargo: plain("cargo test", "Cargo's tests."),
  go: plain("go test ./...", "Go's tests, of every package."),
  lint: plain("npm run lint", "The project's linter."),
  typecheck: plain("npx --no-install tsc --noEmit", "TypeScript's types."),
  "http-health": {
    ...plain(HTTP_HEALTH, "A URL answers with a status."),
    required: ["url"],
    optional: ["expect_status"],
    complaint: ({ url, expect_status = 200 }) => {
      if (!/^https?:\/\/./.test(String(url)))
        return { key: "url", text: "expected a URL that begins with http:// or https://" };
      return isWithin(expect_status, 100, 599) ? null : { key: "expect_status", text: "expected a status such as 200" };
    },
  },
  "file-exists": {
    ...plain("", "Files or folders exist."),
    // Names the missing files; a dangling link counts as missing.
    command: ({ path, paths }) => `ls -dL -- ${[path ?? paths ?? []].flat().map(String).map(quoted).join(" ")}`,
    required: [],
    optional: ["path", "paths"],
    complaint: ({ path, paths }) => {
      if ((path === undefined) === (paths === undefined)) return { text: "expected either path or paths" };
      const given = [path ?? paths].flat();
      return given.length > 0 && given.every((one) => typeof one === "string" && /\S/.test(one))
        ? null
        : { key: path === undefined ? "paths" : "path", text: "expected paths of files" };
    },
  },
  coverage: {
    ...plain(
      'npx --no-install c8 --check-coverage --lines "$RALPH_PARAM_MINIMUM" npm test',
      "Enough lines are covered by tests.",
    ),
    required: ["minimum"],
    optional: ["command"],
    complaint: ({ minimum }) =>
      isWithin(minimum, 0, 100) ? null : { key: "minimum", text: "expected a percentage from 0 to 100" },
  },
};

const isWithin = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && value >= least && value <= most;
