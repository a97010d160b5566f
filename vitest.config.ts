import { defineConfig } from "vitest/config";
import { FileReporter } from "./test/runners/file-reporter.ts";
import { excludedFrom, TIERS, type TierName } from "./test/tiers.ts";

/** Where to write how each file ended and how long it took; set by the runners of test/runners. */
const reportFile = process.env.ELASTIC_TEST_REPORT;

const tier = (name: TierName) => ({ name, include: [TIERS[name]], exclude: excludedFrom(name) });

/** One project a tier (test/README.md). Run by `npm test`; `npx vitest run --project pure` runs one of them alone. */
export default defineConfig({
  test: {
    // Child processes rather than threads: the kernel's "die with the parent" is tied to the thread that forks.
    pool: "forks",
    maxWorkers: 2,
    // A process that a test waits for may take seconds to start where the machine is busy.
    expect: { poll: { timeout: 15_000 } },
    reporters: ["default", ...(reportFile === undefined ? [] : [new FileReporter(reportFile)])],
    globalSetup: ["cli/testing/bundled-command.ts"],
    projects: [
      {
        extends: true,
        test: {
          ...tier("pure"),
          isolate: false,
          setupFiles: ["test/pure-guard.ts"],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          ...tier("component"),
          isolate: false,
          sequence: { groupOrder: 1 },
          globalSetup: "test/cluster/engine-for-all.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          ...tier("system"),
          isolate: false,
          sequence: { groupOrder: 2 },
          globalSetup: "test/cluster/engine-for-all.ts",
          testTimeout: 240_000,
          hookTimeout: 180_000,
        },
      },
      { extends: true, test: { ...tier("house"), isolate: false, sequence: { groupOrder: 3 }, testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          ...tier("long"),
          sequence: { groupOrder: 4 },
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 1_800_000,
        },
      },
    ],
  },
});
