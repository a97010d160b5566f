/** Runs the test files whose path has a word, of any tier. */
import { trackedPaths } from "./house-rules/source-files.ts";
import { type Count, NONE } from "./runners/count.ts";
import { RUNNERS } from "./runners/runners.ts";
import { runVitest } from "./runners/vitest.ts";
import { setUpFor } from "./set-up.ts";
import { tierOf } from "./tiers.ts";

export async function runFiles(words: readonly string[]): Promise<Count> {
  const files = matching(words, trackedPaths());
  const useless = words.filter((word) => matching([word], files).length === 0);
  if (useless.length > 0) {
    console.error(`There is no runner and no test file with ${useless.map((word) => `"${word}"`).join(" or ")} in its`);
    console.error(
      `path. The runners are ${Object.keys(RUNNERS).join(", ")}; Rust's and C++'s tests are cargo and accel.`,
    );
    return { ...NONE, failed: 1 };
  }
  const tiers = [...new Set(files.map(tierOf))].filter((tier) => tier !== null && tier !== "house");
  if (!(await setUpFor(tiers))) return { ...NONE, failed: 1 };
  const { count } = await runVitest(files, { show: true });
  return count;
}

/** Test files whose path has one of the words; `./` before it is left out, as a shell completes it. */
export function matching(words: readonly string[], paths: readonly string[]): readonly string[] {
  const parts = words.map((word) => word.replace(/^\.\//, ""));
  return paths.filter((path) => tierOf(path) !== null && parts.some((part) => path.includes(part)));
}
