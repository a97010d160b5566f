/** Runs vitest and counts by its own report. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { runCommand } from "./command.ts";
import type { Count } from "./count.ts";

/** The part of vitest's JSON report that is read. */
export interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface VitestRun {
  readonly count: Count;
  /** Full names of the tests that were skipped. */
  readonly skipped: readonly string[];
  readonly output: string;
}

export async function runVitest(
  projects: readonly string[],
  options: { readonly show: boolean; readonly args?: readonly string[] },
): Promise<VitestRun> {
  const folder = mkdtempSync(join(tmpdir(), "elastic-vitest-"));
  try {
    const file = join(folder, "report.json");
    const { code, output } = await runCommand(
      process.execPath,
      [
        inRepository("node_modules", "vitest", "vitest.mjs"),
        "run",
        ...projects.flatMap((project) => ["--project", project]),
        ...["--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
        ...(options.args ?? []),
      ],
      { show: options.show, env: options.show ? {} : { NO_COLOR: "1" } },
    );
    return { ...countReport(readReport(file), code), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null when vitest ended before it wrote one. */
function readReport(file: string): VitestReport | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as VitestReport;
  } catch {
    return null;
  }
}

/** A file that could not be loaded, or an error outside any test, counts as one failure. */
export function countReport(
  report: VitestReport | null,
  code: number | null,
): { readonly count: Count; readonly skipped: readonly string[] } {
  if (report === null) return { count: { passed: 0, failed: 1, skipped: 0 }, skipped: [] };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  ).length;
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length + broken;
  const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed");
  return {
    count: { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped: skipped.length },
    skipped: skipped.map(({ fullName }) => fullName),
  };
}
