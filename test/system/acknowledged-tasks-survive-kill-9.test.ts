import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Part } from "../cluster/part.ts";
import { prepareFlood } from "./flood.ts";

const IN_FLIGHT = 200;
/** Posted before the kill: some end before the last is accepted. */
const BEFORE = 230;
/** Posted while the part is down. */
const WHILE_DOWN = 20;

const VICTIMS: Readonly<Record<string, (cluster: Cluster) => Part<unknown> | undefined>> = {
  "the coordinator": ({ coordinators }) => coordinators[0],
  "an agent": ({ agents }) => agents[0],
  etcd: ({ etcd }) => etcd,
};

let cluster: Cluster;

// Each victim is started again, and each flood is of a separate service.
beforeAll(async () => {
  cluster = await startCluster({ agents: 2 });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

test.each(Object.keys(VICTIMS))("with 200 tasks in flight, kill -9 of %s loses none and doubles none", async (name) => {
  const victim = VICTIMS[name]?.(cluster);
  if (victim === undefined) throw new Error(`there is no ${name}`);
  const client = cluster.client();
  const flood = await prepareFlood(cluster, () => client);
  flood.post(BEFORE);
  await flood.inFlight(IN_FLIGHT);
  await victim.kill();
  flood.post(WHILE_DOWN);
  await victim.start();
  const tasks = await flood.ended();
  expect(tasks).toHaveLength(BEFORE + WHILE_DOWN);
  expect(tasks.filter(({ state }) => state !== "SUCCESS")).toEqual([]);
  expect(await flood.violations()).toEqual([]);
  await client.deleteServices();
});
