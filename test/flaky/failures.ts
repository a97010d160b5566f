/** What failed in several runs, and how often. */
import type { FileReport } from "../runners/file-reporter.ts";

/** From a test, as `file: name`, to the number of runs in which it failed. */
export type Failures = Map<string, number>;

/** Each test that failed once, and each file with an error outside its tests. */
export function failuresIn(files: readonly FileReport[]): readonly string[] {
  return files.flatMap(({ path, errors, tests }) => [
    ...tests.filter(({ state }) => state === "failed").map(({ name }) => `${path}: ${name}`),
    ...(errors.length > 0 ? [`${path}: outside its tests`] : []),
  ]);
}

/** The most frequent first. */
export function failuresTable(failures: Failures, times: number): string {
  if (failures.size === 0) return `nothing failed in ${times} runs`;
  const rows = [...failures].sort(([, one], [, other]) => other - one);
  return rows.map(([name, count]) => `${String(count).padStart(4)} of ${times}  ${name}`).join("\n");
}
