import { defineConfig } from "vitest/config";

/**
 * Projects. `unit`: what stands beside the sources. `house`: the house rules, run by `npm run check`. `system`: the
 * harness's own tests and the whole-system scenarios, one file at a time, because each starts a cluster of its own
 * and the machine may have two cores. `long`: what takes minutes, by `npm run test:long`.
 * Child processes rather than threads: the kernel's "die with the parent" is tied to the thread that forks.
 */
export default defineConfig({
  test: {
    pool: "forks",
    // A process that a test waits for may take seconds to start where the machine is busy.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{proto,std,coordinator,agent,cli,deploy,bench}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "**/target/**", "**/.cache/**"],
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: "house", include: ["test/house-rules/**/*.test.ts"], isolate: false, maxWorkers: 1 },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: ["test/long/**/*.test.ts"],
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 1_800_000,
        },
      },
      {
        extends: true,
        test: {
          name: "system",
          include: ["test/{runners,cluster,system}/**/*.test.ts"],
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
