/** A leader whose connection to etcd is broken in some way, next to a coordinator whose connection is not. */
import { expect } from "vitest";
import type { FaultMode } from "../cluster/fault-proxy.ts";
import { startScenario } from "./scenario.ts";

const CUT_OFF_MS = 15_000;
const TAKE_OVER_MS_MAX = 10_000;

export async function cutLeaderOffFromEtcd(mode: FaultMode): Promise<void> {
  await using run = await startScenario({ coordinators: 2 });
  const { leader, others } = await run.roles();
  const [other] = others;
  const line = run.lines.toEtcd[run.cluster.coordinators.indexOf(leader)];
  if (other === undefined || line === undefined) throw new Error("two coordinators were started");
  await run.fault(async () => {
    const before = line.bytesDropped();
    line.set(mode);
    await run.leads(other, TAKE_OVER_MS_MAX);
    await run.lasts(CUT_OFF_MS);
    expect(line.bytesDropped()).toBeGreaterThan(before);
    line.set("pass");
    // What lost bytes is of no use to anybody.
    line.reset();
  });
  const ready = async () => (await run.cluster.client(leader).call("/readyz")).status;
  await expect.poll(ready, { timeout: 15_000 }).toBe(200);
  const { accepted, refusals, attemptsMax } = await run.verdict();
  // The callers go to both in turn, and what the one cannot make durable is refused at once.
  expect(refusals.get(503)).toBeGreaterThan(0);
  expect([...refusals.keys()]).toEqual([503]);
  expect(accepted.during).toBeGreaterThan(20);
  expect(attemptsMax).toBe(1);
}
