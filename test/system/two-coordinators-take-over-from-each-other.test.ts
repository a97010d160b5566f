import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { prepareFlood } from "./flood.ts";

test("when either of two coordinators is killed the other goes on, and every task ends once", async () => {
  await using cluster = await startCluster({ coordinators: 2, agents: 2 });
  const [one, two] = cluster.coordinators;
  if (one === undefined || two === undefined) throw new Error("two coordinators were started");
  let turn = 0;
  // A client that is refused moves on to the other address, as one behind a load balancer would.
  const client = () => {
    turn += 1;
    return cluster.client(turn % 2 === 0 ? one : two);
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
});

test("a coordinator that was frozen past its lease changes nothing when it wakes", async () => {
  await using cluster = await startCluster({ coordinators: 2, agents: 2 });
  const [leader, other] = cluster.coordinators;
  if (leader === undefined || other === undefined) throw new Error("two coordinators were started");
  const flood = await prepareFlood(cluster, () => cluster.client(other));
  flood.post(100);
  await flood.inFlight(80);
  leader.pause();
  const before = await flood.ended();
  leader.resume();
  flood.post(20);
  const after = await flood.ended();
  expect([...before, ...after].filter(({ state }) => state !== "SUCCESS")).toEqual([]);
  expect(await flood.violations()).toEqual([]);
});
