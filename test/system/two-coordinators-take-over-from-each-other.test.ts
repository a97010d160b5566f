import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, startCluster } from "../cluster/cluster.ts";
import { prepareFlood } from "./flood.ts";

let cluster: Cluster;

// Each test ends with both running and its service deleted.
beforeAll(async () => {
  cluster = await startCluster({ coordinators: 2, agents: 2 });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

test("when either of two coordinators is killed the other continues, and every task ends once", async () => {
  const [one, two] = cluster.coordinators;
  if (one === undefined || two === undefined) throw new Error("two coordinators were started");
  let turn = 0;
  // A client that is refused moves on to the other address, as one behind a load balancer would.
  const clients = [cluster.client(one), cluster.client(two)] as const;
  const client = () => {
    turn += 1;
    return turn % 2 === 0 ? clients[0] : clients[1];
  };
  const flood = await prepareFlood(cluster, client);
  flood.post(100);
  await flood.inFlight(80);
  await one.kill();
  flood.post(50);
  await flood.inFlight(80);
  await one.start();
  await two.kill();
  flood.post(50);
  const tasks = await flood.ended();
  expect(tasks.filter(({ state }) => state !== "SUCCESS")).toEqual([]);
  expect(await flood.violations()).toEqual([]);
  await two.start();
  for (const one of clients) await one.deleteServices();
});

test("a coordinator that was frozen past its lease changes nothing when it wakes", async () => {
  const [leader, other] = cluster.coordinators;
  if (leader === undefined || other === undefined) throw new Error("two coordinators were started");
  const flood = await prepareFlood(cluster, () => cluster.client(other));
  flood.post(100);
  await flood.inFlight(80);
  await leader.pause();
  const before = await flood.ended();
  leader.resume();
  flood.post(20);
  const after = await flood.ended();
  expect([...before, ...after].filter(({ state }) => state !== "SUCCESS")).toEqual([]);
  expect(await flood.violations()).toEqual([]);
});
