/** Coordinators and agents of the last release and of this one in one fleet, exchanged one by one, both ways. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { installLastRelease, ofRelease } from "../cluster/last-release.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { prepareFlood } from "../system/flood.ts";

const TIMEOUT_MS = 400_000;
const TASKS_A_STEP = 60;

const parts = new AsyncDisposableStack();
let cluster: Cluster;
/** Names of the parts that run this version. */
const upgraded = new Set<string>();

beforeAll(async () => {
  const release = await installLastRelease(parts.use(makeWorkFolder()).path);
  cluster = parts.use(
    await startCluster({
      coordinators: 2,
      agents: 2,
      as: (program) => (upgraded.has(program.name) ? program : ofRelease(program, release)),
    }),
  );
}, TIMEOUT_MS);
afterAll(() => parts.disposeAsync(), 60_000);

test("no task fails, is lost or is doubled", { timeout: TIMEOUT_MS }, async () => {
  let turn = 0;
  const client = () => {
    turn += 1;
    return cluster.client(cluster.coordinators[turn % 2]);
  };
  const flood = await prepareFlood(cluster, client, TIMEOUT_MS);
  const all = [...cluster.coordinators, ...cluster.agents];
  for (const change of ["upgrade", "rollback"] as const) {
    for (const part of all) {
      flood.post(TASKS_A_STEP);
      await flood.inFlight(TASKS_A_STEP / 2);
      if (change === "upgrade") upgraded.add(part.name);
      else upgraded.delete(part.name);
      await part.stop();
      await part.start();
    }
  }
  const tasks = await flood.ended();
  expect(tasks.filter(({ state }) => state !== "SUCCESS")).toEqual([]);
  expect(await flood.violations()).toEqual([]);
});
