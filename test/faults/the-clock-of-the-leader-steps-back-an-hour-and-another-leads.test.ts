import { expect, test } from "vitest";
import { shiftedClocks } from "../cluster/shifted-clocks.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { startScenario } from "../scenario/scenario.ts";

const HOUR_MS = 3_600_000;
const RESIGNS_WITHIN_MS = 30_000;
const STEPPED_MS = 10_000;

test("no request is refused, no proof is repeated, and its tasks have the time of the others", async () => {
  using folder = makeWorkFolder();
  const clocks = shiftedClocks(folder.path);
  await using run = await startScenario({ coordinators: 2, coordinatorSettings: clocks.aheadBy(0) });
  const { leader, others } = await run.roles();
  const [other] = others;
  if (other === undefined) throw new Error("two coordinators were started");
  await run.fault(async () => {
    clocks.shift(leader, -HOUR_MS);
    await run.leads(other, RESIGNS_WITHIN_MS);
    await run.lasts(STEPPED_MS);
    const metrics = await (await fetch(leader.metricsUrl)).text();
    const offset = Number(/^elastic_clock_offset_seconds (\S+)$/m.exec(metrics)?.[1]);
    expect(offset).toBeLessThan(-3_500);
    clocks.shift(leader, 0);
  });
  const { accepted, refusals, attemptsMax } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(50);
  expect({ refusals: [...refusals], attemptsMax }).toEqual({ refusals: [], attemptsMax: 1 });
});
