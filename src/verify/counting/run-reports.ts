import { mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { environment, temporaryFolder } from "../../adapters/io/environment.ts";
import { statAt, textAt } from "../../adapters/io/look.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";
import type { Ran } from "../../core/counting/counter.ts";
import { type Reported, readJunit } from "../../core/counting/junit.ts";

const MOST_BYTES = 16 << 20;
const MOST_SEEN = 100_000;
const NO_TESTS_IN = new Set([".git", "node_modules", ".venv", "venv"]);

/** Reports that build tools write in any case. Gradle leaves them where they are if nothing has changed since. */
const WRITTEN: readonly { runner: string; by: RegExp; files: RegExp; reused: boolean }[] = [
  {
    runner: "surefire",
    by: /\bmvn[wd]?\b/,
    files: /(?:^|\/)target\/(?:surefire|failsafe)-reports\/TEST-[^/]+\.xml$/,
    reused: false,
  },
  { runner: "gradle", by: /\bgradlew?\b/, files: /(?:^|\/)build\/test-results\/.+\.xml$/, reused: true },
];

interface ReportRequest {
  command: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
}

interface RunReports {
  /** Variables that make a runner write a report of ours, and change nothing else. */
  env: Readonly<Record<string, string>>;
  /** What the reports add to what the output says; they are removed. */
  read(ran: Ran): Ran;
}

/** Asks for the reports of one run of a command. */
export function openReports({ command, cwd, env }: ReportRequest): RunReports {
  const folder = mkdtempSync(join(temporaryFolder(), "ralph-tests-"));
  const own = join(folder, "pytest.xml");
  const startedMs = Date.now();
  return {
    env: pytestOptions(own, cwd, env),
    read(ran) {
      const ours = readJunit(textsOf([own]));
      rmSync(folder, { recursive: true, force: true });
      const pytest = ours && withReport(ran, "pytest", ours);
      if (pytest) return pytest;
      const isFresh = (path: string) => (statAt(path)?.mtimeMs ?? 0) >= startedMs - CLOCK_MS;
      for (const { runner, files, reused } of WRITTEN.filter(({ by }) => by.test(command))) {
        const found = [...walkFiles(cwd, "", { skip: NO_TESTS_IN, most: MOST_SEEN })].filter((path) =>
          files.test(path),
        );
        const paths = found.map((path) => join(cwd, path)).filter((path) => reused || isFresh(path));
        const report = readJunit(textsOf(paths));
        return (report && withReport(ran, runner, report)) ?? ran;
      }
      const named = command.split(/[\s"'=]+/).filter((word) => word.endsWith(".xml"));
      const report = readJunit(textsOf(named.map((path) => resolve(cwd, path)).filter(isFresh)));
      return (report && withReport(ran, "the report", report)) ?? ran;
    },
  };
}

/** Times of files may be rounded. */
const CLOCK_MS = 2_000;

const PYTEST_FILES = ["pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini"];

/** A report of the user's has precedence: ours would take its place. */
function pytestOptions(path: string, cwd: string, env: ReportRequest["env"]): Record<string, string> {
  const given = env.PYTEST_ADDOPTS ?? environment().PYTEST_ADDOPTS ?? "";
  const texts = textsOf(PYTEST_FILES.map((name) => join(cwd, name)));
  if ([given, ...texts].some((text) => /junit/.test(text)) || path.includes("'")) return {};
  return { PYTEST_ADDOPTS: `${given} --junitxml='${path}'`.trim() };
}

/** A report counts if the output gives no other number; names are those of the report. Null if they contradict. */
function withReport({ counts, names }: Ran, runner: string, report: Reported): Ran | null {
  const others = Object.keys(counts?.runners ?? {}).filter((other) => other !== runner);
  if (others.length > 0) return null;
  const { ran, broken = 0 } = report.counts;
  // Several runs of one command overwrite each other's report.
  if (counts && Math.abs(counts.ran - ran) > broken + (counts.broken ?? 0)) return null;
  return {
    counts: counts ?? { ...report.counts, runners: { [runner]: ran } },
    names: { tests: report.names.tests, files: names.files },
  };
}

const textsOf = (paths: readonly string[]): string[] => paths.map((path) => textAt(path, MOST_BYTES));
