/** Scrapes of an agent that come in a flood, while it runs an attempt. */
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { startScrapeFlood } from "@elastic/test/cluster/scrape-flood.ts";
import { afterAll, afterEach, expect, test } from "vitest";
import { assignmentOf, startOf } from "../testing/orders.ts";
import { resultText } from "../testing/outcomes.ts";
import { removeTemporaryFolders } from "../testing/temporary-folder.ts";
import { TestFleet } from "../testing/test-fleet.ts";

/** Of the 64 that the listener serves: a client may open one before it has closed another. */
const CONNECTIONS = 32;

const fleet = new TestFleet();
afterEach(() => fleet.end());
afterAll(removeTemporaryFolders);

test("a flood of scrapes loses an agent neither its link nor its attempts", async () => {
  const coordinator = await fleet.coordinator();
  const { metrics } = await fleet.agent([coordinator.address]);
  await coordinator.linked();
  coordinator.assign([assignmentOf("builtin:echo")]);
  await coordinator.workload("a1", WorkloadPhase.WORKLOAD_PHASE_READY);
  await using flood = startScrapeFlood(metrics, CONNECTIONS);
  for (let n = 0; n < 20; n++) {
    const start = startOf(`[${n}]`);
    coordinator.start([start]);
    expect(resultText(await coordinator.report(start.taskId))).toBe(`[${n}]`);
  }
  const { served, failed } = await flood.stop();
  expect([failed, served >= CONNECTIONS]).toEqual([0, true]);
  // A link whose heartbeats were not acknowledged four times in a row, every 100 ms here, would have been opened again.
  expect(coordinator.hellos).toHaveLength(1);
});
