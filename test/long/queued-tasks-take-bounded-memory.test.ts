import { hash } from "node:crypto";
import { expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { residentBytes } from "../cluster/resident-memory.ts";

const TASKS = 50_000;
const INPUT_BYTES = 4096;
/** Whatever a coordinator needs for its work, it has after these. */
const WARM_UP_TASKS = 2_000;
const POSTED_AT_ONCE = 32;
/** Whose ends it waits for: inputs that were in memory, and some that were not. */
const ENDED = [0, 1, 2_000, 8_000, 9_000];
const MIB = 1024 * 1024;
/** Of inputs 40 MiB at most; the rest are records and what the scheduler decides by. */
const GROWTH_MIB_MAX = 150;

/** Another for each task. */
function inputOf(n: number): string {
  return JSON.stringify(
    hash("sha256", String(n), "hex")
      .repeat(INPUT_BYTES / 64)
      .slice(0, INPUT_BYTES - 2),
  );
}

async function post(client: ApiClient, serviceId: string, from: number, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let next = 0;
  const postSome = async () => {
    for (let n = next++; n < count; n = next++) {
      ids[n] = (await client.postTask(serviceId, inputOf(from + n))).task_id;
    }
  };
  await Promise.all(Array.from({ length: POSTED_AT_ONCE }, postSome));
  return ids;
}

function mibOf({ coordinators }: Cluster): number {
  return residentBytes(coordinators[0]?.child().pid) / MIB;
}

test("fifty thousand queued tasks of 4 KiB take a bounded part of memory, and each gets its input byte for byte", async () => {
  await using cluster = await startCluster();
  const client = cluster.client();
  const { service_id: serviceId } = await client.readyService("echo", { image: "builtin:echo" });
  await cluster.agents[0]?.stop();
  await post(client, serviceId, 0, WARM_UP_TASKS);
  const before = mibOf(cluster);
  const ids = await post(client, serviceId, WARM_UP_TASKS, TASKS);
  const grown = mibOf(cluster) - before;
  console.log(
    `${TASKS} queued tasks of ${INPUT_BYTES} bytes: ${grown.toFixed(0)} MiB more than ${before.toFixed(0)} MiB`,
  );

  await cluster.agents[0]?.start();
  for (const n of ENDED) {
    const { state, input, result } = await client.ended(ids[n] ?? "", 900_000);
    const sent = inputOf(WARM_UP_TASKS + n);
    // A result that is a JSON string is its text.
    expect([state, input, result]).toEqual(["SUCCESS", sent, JSON.parse(sent)]);
  }
  expect(grown).toBeLessThan(GROWTH_MIB_MAX);
});
