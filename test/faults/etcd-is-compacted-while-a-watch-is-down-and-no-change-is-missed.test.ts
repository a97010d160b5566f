import { expect, test } from "vitest";
import { compact } from "../cluster/etcd-requests.ts";
import { startScenario } from "../scenario/scenario.ts";

const CUT_OFF_MS = 8_000;
const LINES = 2_000;

test("a coordinator whose watch cannot resume lists everything again, and shows each task as it is", async () => {
  await using run = await startScenario({ coordinators: 2 });
  const { leader, others } = await run.roles();
  const [other] = others;
  const line = other && run.lines.toEtcd[run.cluster.coordinators.indexOf(other)];
  if (other === undefined || line === undefined) throw new Error("two coordinators were started");
  const before = run.ended().length;
  await run.fault(async () => {
    run.callersGoTo([leader]);
    line.set("black-hole");
    line.reset();
    await run.lasts(CUT_OFF_MS);
    expect(line.bytesDropped()).toBeGreaterThan(0);
    await compact(run.cluster.etcd.endpoint, await run.keepHistory());
    line.set("pass");
    line.reset();
  });
  const there = run.cluster.client(other);
  await expect.poll(async () => (await there.call("/readyz")).status, { timeout: 15_000 }).toBe(200);
  expect(other.child().tail(LINES)).toContain("the view lost the store and lists it again");
  const meanwhile = run.ended().slice(before);
  expect(meanwhile.length).toBeGreaterThan(10);
  const states = await Promise.all(meanwhile.map(async (id) => (await there.task(id)).state));
  expect(new Set(states)).toEqual(new Set(["SUCCESS"]));
  run.callersGoTo(run.cluster.coordinators);
  expect((await run.verdict()).attemptsMax).toBe(1);
});
