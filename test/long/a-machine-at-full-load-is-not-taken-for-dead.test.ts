/** All cores of a machine are busy, and the event loop of its agent is blocked again and again, also for longer than its fence. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startChild } from "@elastic/deploy/local/child.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { INSPECTED, inspectorOf } from "../cluster/inspector.ts";
import { programPath, testMinutes } from "../cluster/machine.ts";

const MINUTES = testMinutes(10);
const BLOCK_MS = 2_000;
/** The fence is at 12 s, and the node would be lost a second later. */
const LONG_BLOCK_MS = 20_000;
const BLOCKS_UNTIL_A_LONG_ONE = 8;
const RUN_MS = 4_000;
const LOOKS = { everyMs: 1_000, timeoutMs: (MINUTES + 1) * 60_000 };

test("loses no machine and abandons no work", { timeout: (MINUTES + 5) * 60_000 }, async () => {
  await using cluster = await startCluster({ agentSettings: INSPECTED });
  await using load = await loadAllCores(cluster.folder);
  const [agent] = cluster.agents;
  const [coordinator] = cluster.coordinators;
  if (agent === undefined || coordinator === undefined) throw new Error("the cluster has no coordinator or no agent");
  const inspector = await inspectorOf(agent.child());
  const client = cluster.client();
  const { service_id: serviceId } = await client.readyService("sleep", { image: "builtin:sleep" });

  const endAt = performance.now() + MINUTES * 60_000;
  const isOver = () => performance.now() >= endAt;
  const states = new Set<string>();
  let blocked = 0;
  const block = async () => {
    for (let count = 1; !isOver(); count += 1) {
      await inspector.blockLoop(count % BLOCKS_UNTIL_A_LONG_ONE === 0 ? LONG_BLOCK_MS : BLOCK_MS);
      blocked += 1;
    }
  };
  const prove = async () => {
    const tasks = [];
    while (!isOver()) tasks.push(await client.prove(serviceId, JSON.stringify({ ms: RUN_MS })));
    return tasks;
  };
  const look = async () => {
    states.add(await statesOfNodes(coordinator.metricsUrl));
    return isOver() || undefined;
  };
  const [tasks] = await Promise.all([prove(), block(), until("the end", look, LOOKS)]);

  expect(load.running()).toBe(availableParallelism());
  expect([...states]).toEqual(["ready"]);
  expect(await metric(agent.metricsUrl(), "elastic_agent_fences_total")).toBe(0);
  const ends = tasks.map(({ state, attempt }) => ({ state, attempt }));
  expect(new Set(ends.map((end) => JSON.stringify(end)))).toEqual(new Set(['{"state":"SUCCESS","attempt":1}']));
  console.log(`${tasks.length} tasks, ${blocked} blocks in ${MINUTES} minutes`);
});

/** Of all nodes that there are. */
async function statesOfNodes(metricsUrl: string): Promise<string> {
  const text = await (await fetch(metricsUrl)).text();
  const found = [...text.matchAll(/^elastic_nodes\{state="(\w+)"\} [1-9]/gm)];
  return found.map(([, state]) => state).join();
}

async function metric(metricsUrl: string, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

async function loadAllCores(folder: Cluster["folder"]) {
  const start = (core: number) =>
    startChild({
      name: `load-${core}`,
      command: process.execPath,
      args: ["-e", "for (;;);"],
      env: { PATH: programPath() },
      logFile: join(folder, `load-${core}.log`),
    });
  const children = await Promise.all(Array.from({ length: availableParallelism() }, (_, core) => start(core)));
  return {
    running: () => children.filter((child) => child.exit() === null).length,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(children.map((child) => child.stop(0)));
    },
  };
}
