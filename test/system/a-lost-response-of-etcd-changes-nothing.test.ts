import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { type FaultProxy, startFaultProxy } from "../cluster/fault-proxy.ts";
import { prepareFlood } from "./flood.ts";

/** How often etcd's responses are lost in one run. */
const LOSSES = 5;

test("loses and doubles no task when etcd commits and its responses are lost", async () => {
  let proxy: FaultProxy | undefined;
  await using cluster = await startCluster({
    agents: 2,
    async etcdThrough(endpoint) {
      proxy = await startFaultProxy(new URL(endpoint).host);
      return `http://${proxy.address}`;
    },
  });
  await using between = proxy;
  if (between === undefined) throw new Error("the cluster reaches etcd through the proxy");
  const flood = await prepareFlood(cluster);
  for (let loss = 0; loss < LOSSES; loss += 1) {
    flood.post(40);
    await flood.inFlight(20);
    const droppedBefore = between.bytesDropped();
    between.set("drop-responses");
    await expect.poll(() => between.bytesDropped(), { timeout: 90_000, interval: 5 }).toBeGreaterThan(droppedBefore);
    // A connection that lost bytes is no longer of use to anybody.
    between.reset();
    between.set("pass");
  }
  const tasks = await flood.ended();
  expect(tasks).toHaveLength(40 * LOSSES);
  expect(tasks.filter(({ state }) => state !== "SUCCESS")).toEqual([]);
  expect(await flood.violations()).toEqual([]);
});
