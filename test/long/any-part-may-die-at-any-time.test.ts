import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import type { Part } from "../cluster/part.ts";
import { prepareFlood } from "../system/flood.ts";
import { seededNumbers } from "./seeded-numbers.ts";

const ROUNDS = 25;
const TASKS_PER_ROUND = 40;
const DOWN_MS_MAX = 4000;
/** Longer than any lease and heartbeat: what was frozen wakes into a world that has moved on. */
const FROZEN_MS_MAX = 20_000;
const RUN_TIMEOUT_MS = 1_200_000;

test("whatever is killed or frozen, every acknowledged task ends once", { timeout: RUN_TIMEOUT_MS }, async () => {
  const seed = randomInt(2 ** 31);
  const random = seededNumbers(seed);
  // The checker reads the complete history in etcd: nothing moves out of it meanwhile.
  const coordinatorSettings = { ELASTIC_ARCHIVE_AFTER: "3600" };
  await using cluster = await startCluster({ coordinators: 2, agents: 3, coordinatorSettings });
  const flood = await prepareFlood(cluster, anyClient(cluster), RUN_TIMEOUT_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    flood.post(TASKS_PER_ROUND);
    await flood.inFlight(TASKS_PER_ROUND / 2);
    const parts: readonly Part<unknown>[] = [cluster.etcd, ...cluster.coordinators, ...cluster.agents];
    const victim = parts[random(parts.length)];
    if (victim !== undefined) await breakAndMend(victim, random);
  }
  const tasks = await flood.ended();
  expect(
    tasks.filter(({ state }) => state !== "SUCCESS"),
    `seed ${seed}`,
  ).toEqual([]);
  expect(await flood.violations(), `seed ${seed}`).toEqual([]);
});

async function breakAndMend(victim: Part<unknown>, random: (below: number) => number): Promise<void> {
  if (random(2) === 0) {
    await victim.kill();
    await passes(random(DOWN_MS_MAX));
    await victim.start();
  } else {
    await victim.pause();
    await passes(random(FROZEN_MS_MAX));
    victim.resume();
  }
}

/** Here the fault itself is a length of time. */
function passes(ms: number): Promise<void> {
  return new Promise((over) => setTimeout(over, ms));
}

/** Clients take the coordinators in turn, as behind a load balancer. */
function anyClient(cluster: Cluster): () => ApiClient {
  let turn = 0;
  return () => {
    turn += 1;
    return cluster.client(cluster.coordinators[turn % cluster.coordinators.length]);
  };
}
