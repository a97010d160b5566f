/** The requests of coordinator/http/generated-requests.component.test.ts, for longer and differently each time; a failure prints its seed. */
import { randomInt } from "node:crypto";
import { startGeneratedRun } from "@elastic/coordinator/http/testing/generated-run.ts";
import { expect, test } from "vitest";

/** Of each operation; things of their own are made for each deletion. */
const RUNS = 1_000;
const DELETIONS = 200;

test("responds to every request that is generated from the document as the document describes", async () => {
  await using run = await startGeneratedRun();
  expect(run.operations.length).toBeGreaterThan(40);
  const seed = randomInt(2 ** 31);
  for (const described of run.operations) {
    await run.check(described, { seed, numRuns: described.method === "DELETE" ? DELETIONS : RUNS });
  }
});
