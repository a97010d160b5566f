import { expect, test } from "vitest";
import { shiftedClocks } from "../cluster/shifted-clocks.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { startScenario } from "../scenario/scenario.ts";

const HOUR_MS = 3_600_000;
const BROKEN_MS = 18_000;
/** One whose clock is off leads only once nobody else can. */
const TAKE_OVER_MS_MAX = 30_000;

test("the leader loses etcd, the other's clock steps by an hour, and a machine dies, all at once: every task ends once", async () => {
  using folder = makeWorkFolder();
  const clocks = shiftedClocks(folder.path);
  await using run = await startScenario({ coordinators: 2, coordinatorSettings: clocks.aheadBy(0) });
  const { leader, others } = await run.roles();
  const [other] = others;
  const [agent] = run.cluster.agents;
  const line = run.lines.toEtcd[run.cluster.coordinators.indexOf(leader)];
  if (other === undefined || agent === undefined || line === undefined) throw new Error("two of each were started");
  await run.fault(async () => {
    line.set("black-hole");
    clocks.shift(other, HOUR_MS);
    await agent.kill();
    await run.leads(other, TAKE_OVER_MS_MAX);
    await run.lasts(BROKEN_MS);
    line.set("pass");
    line.reset();
    clocks.shift(other, 0);
    await agent.start();
  });
  const { accepted, refusals, requeues } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(10);
  expect([...refusals.keys()]).toEqual([503]);
  expect(requeues.length).toBeGreaterThan(0);
  expect(new Set(requeues.map(({ reason }) => reason))).toEqual(new Set(["node_lost"]));
});
