import { expect, test } from "vitest";
import { startScenario } from "../scenario/scenario.ts";

const FROZEN_MS = 30_000;
/** The lease of four seconds ends, and the next coordinator has to notice. */
const TAKE_OVER_MS_MAX = 10_000;

test("the other leads in time, no proof is repeated, and the one that wakes serves nothing old", async () => {
  await using run = await startScenario({ coordinators: 2 });
  const { leader, others } = await run.roles();
  const [other] = others;
  if (other === undefined) throw new Error("two coordinators were started");
  await run.fault(async () => {
    run.callersGoTo([other]);
    await leader.pause();
    expect(await run.leads(other, TAKE_OVER_MS_MAX)).toBeGreaterThan(1_000);
    await run.lasts(FROZEN_MS - TAKE_OVER_MS_MAX / 2);
    const ended = run.ended().at(-1);
    leader.resume();
    const seen = await run.cluster.client(leader).call(`/v1/tasks/${ended}`);
    if (seen.status !== 503) expect(seen.json).toMatchObject({ state: "SUCCESS" });
  });
  run.callersGoTo(run.cluster.coordinators);
  expect((await run.roles()).leader).toBe(other);
  const { accepted, attemptsMax, longestGapMs } = await run.verdict();
  expect(attemptsMax).toBe(1);
  expect(longestGapMs).toBeLessThan(TAKE_OVER_MS_MAX);
  expect(accepted.during).toBeGreaterThan(50);
});
