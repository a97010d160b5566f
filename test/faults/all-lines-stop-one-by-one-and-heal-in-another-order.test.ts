import { expect, test } from "vitest";
import type { FaultProxy } from "../cluster/fault-proxy.ts";
import { type Scenario, startScenario } from "../scenario/scenario.ts";

const BETWEEN_MS = 2_500;

/** In an order that the seed says. */
function shuffled<T>(all: readonly T[], { random }: Scenario): readonly T[] {
  return all
    .map((one) => ({ one, at: random(2 ** 31) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

test("between coordinators, agents and etcd: whatever stood still, all work ends once, and new work runs", async () => {
  await using run = await startScenario({ coordinators: 2 });
  const lines: readonly FaultProxy[] = [...run.lines.toEtcd, ...run.lines.toCoordinators];
  const accepted: number[] = [];
  await run.fault(async () => {
    for (const line of shuffled(lines, run)) {
      line.set("stall");
      await run.lasts(BETWEEN_MS);
    }
    // With everything stopped nothing may be acknowledged.
    accepted.push(run.accepted());
    await run.lasts(BETWEEN_MS);
    accepted.push(run.accepted());
    for (const line of shuffled(lines, run)) {
      line.set("pass");
      await run.lasts(BETWEEN_MS);
    }
  });
  expect(accepted[1]).toBe(accepted[0]);
  const { attemptsMax } = await run.verdict();
  expect(attemptsMax).toBeLessThanOrEqual(3);
});
