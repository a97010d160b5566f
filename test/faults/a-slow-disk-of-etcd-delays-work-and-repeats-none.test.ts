import { join } from "node:path";
import { expect, test } from "vitest";
import { slowDown } from "../cluster/slow-disk.ts";
import { startScenario } from "../scenario/scenario.ts";

const DELAY_MS = 300;
const SLOW_MS = 20_000;

test("each write is durable that much later: creates take as long, no node is lost, and nobody stops leading", async () => {
  await using run = await startScenario();
  await run.fault(async () => {
    const logFile = join(run.cluster.folder, "strace.log");
    await using _slow = await slowDown(run.cluster.etcd.child(), { delayMs: DELAY_MS, logFile });
    await run.lasts(SLOW_MS);
  });
  const { medianCreateMs, attemptsMax, requeues } = await run.verdict();
  expect(medianCreateMs).toBeGreaterThan(DELAY_MS);
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
});
