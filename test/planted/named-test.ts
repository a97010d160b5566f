/** Runs single tests of a copy of the product and reports how each ended. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { startChild } from "@elastic/deploy/local/child.ts";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { programPath } from "../cluster/machine.ts";

/** The copy has no configuration: that of the repository starts what single tests do not need. */
const VITEST = [
  "run",
  "--reporter=json",
  "--pool=forks",
  "--testTimeout=30000",
  "--hookTimeout=60000",
  "--expect.poll.timeout=15000",
];

export interface NamedTest {
  readonly file: string;
  /** Its full name: what it is described in, each followed by " > ", and its title. */
  readonly test: string;
}

/** `missing`: no test of that name ran, or vitest itself did not. */
export type Ending = "passed" | "failed" | "missing";

interface Report {
  readonly testResults: readonly {
    /** Its file, absolute. */
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** In their order. `root` is that of the copy. */
export async function runNamedTests(root: string, tests: readonly NamedTest[]): Promise<readonly Ending[]> {
  const output = join(root, "report.json");
  await rm(output, { force: true });
  const names = tests.map(({ test }) => escaped(test));
  const files = new Set(tests.map(({ file }) => file));
  const vitest = await startChild({
    name: "vitest",
    command: join(root, "node_modules", ".bin", "vitest"),
    args: [...VITEST, `--outputFile=${output}`, ...files, "-t", `^(${names.join("|")})$`],
    env: { ...COMPILE_CACHE, PATH: programPath(), HOME: root },
    logFile: join(root, "vitest.log"),
    cwd: root,
  });
  // A test that fails ends vitest with 1; the report has which.
  await vitest.exited;
  const text = await readFile(output, "utf8").catch(() => '{"testResults":[]}');
  const { testResults } = JSON.parse(text) as Report;
  return tests.map((test) => endingOf(test, root, testResults));
}

function endingOf({ file, test }: NamedTest, root: string, results: Report["testResults"]): Ending {
  const ends = results
    .filter(({ name }) => name === join(root, file))
    .flatMap(({ assertionResults }) => assertionResults);
  // The report joins the parts of a name by spaces.
  const name = test.replaceAll(" > ", " ");
  const statuses = ends.filter(({ fullName }) => fullName === name).map(({ status }) => status);
  if (statuses.includes("failed")) return "failed";
  return statuses.includes("passed") ? "passed" : "missing";
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
