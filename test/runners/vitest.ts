/** Runs test files with vitest and counts by what its reporter wrote. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./command.ts";
import { type Count, withExit } from "./count.ts";
import type { FileReport, TestReport } from "./file-reporter.ts";
import type { Timing } from "./runner.ts";

export interface VitestRun {
  readonly count: Count;
  /** Full names of the tests that were skipped. */
  readonly skipped: readonly string[];
  /** A line for each failure, with the first line of its message. */
  readonly failed: readonly string[];
  readonly files: readonly FileReport[];
  readonly output: string;
}

/** `args` are vitest's own: projects, filters, workers. */
export async function runVitest(args: readonly string[], options: { readonly show: boolean }): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), "elastic-vitest-"));
  try {
    const file = join(folder, "report.json");
    const { code, output } = await runCommand(
      process.execPath,
      [inRepository("node_modules", "vitest", "vitest.mjs"), "run", ...args],
      { show: options.show, env: { ELASTIC_TEST_REPORT: file, ...(options.show ? {} : { NO_COLOR: "1" }) } },
    );
    return { ...countReport(readReport(file), code), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null when vitest ended before it wrote one. */
function readReport(file: string): TestReport | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as TestReport;
  } catch {
    return null;
  }
}

/** A file that could not be loaded, or an error outside any test, counts as one failure. */
export function countReport(report: TestReport | null, code: number | null): Omit<VitestRun, "output"> {
  if (report === null) return { count: { passed: 0, failed: 1, skipped: 0 }, skipped: [], failed: [], files: [] };
  const { files } = report;
  const tests = files.flatMap((file) => file.tests);
  const passed = tests.filter(({ state }) => state === "passed").length;
  const failed = tests.filter(({ state }) => state === "failed").length;
  const skipped = tests.filter(({ state }) => state !== "passed" && state !== "failed");
  const broken = files.filter(({ errors }) => errors.length > 0).length + report.errors.length;
  const count = { passed, failed: failed + broken, skipped: skipped.length };
  return { count: withExit(count, code), skipped: skipped.map(({ name }) => name), failed: failures(report), files };
}

function failures({ files, errors }: TestReport): readonly string[] {
  return [
    ...files.flatMap(({ path, tests, errors: outside }) => [
      ...tests.filter(({ state }) => state === "failed").map((test) => failure(`${path} > ${test.name}`, test.errors)),
      ...(outside.length > 0 ? [failure(path, outside)] : []),
    ]),
    ...errors.map((message) => failure("outside any file", [message])),
  ];
}

const MESSAGE_CHARACTERS_MAX = 300;

function failure(where: string, [message = "no message"]: readonly string[]): string {
  return `FAILED ${where}: ${message.split("\n", 1)[0]?.slice(0, MESSAGE_CHARACTERS_MAX)}`;
}

export function timingOf({ path, ms }: FileReport): Timing {
  const parts = Object.fromEntries(Object.entries(ms).map(([part, time]) => [part, time / 1000]));
  const seconds = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { name: path, kind: "file", seconds, parts };
}
