import { until } from "@elastic/deploy/local/until.ts";
import { expect, test } from "vitest";
import { startScenario } from "../scenario/scenario.ts";

/** For a load balancer to see that it is not ready. */
const SETTINGS = { ELASTIC_SHUTDOWN_DELAY: "3" };

test("after SIGTERM it is unready first, serves what comes meanwhile, and ends with code 0; the other leads", async () => {
  await using run = await startScenario({ coordinators: 2, coordinatorSettings: SETTINGS });
  const { leader, others } = await run.roles();
  const readyz = async () => (await run.cluster.client(leader).call("/readyz")).status;
  await run.fault(async () => {
    const stopped = leader.stop();
    const isUnready = async () => (await readyz()) === 503 || undefined;
    await until("it to be unready", isUnready, { timeoutMs: 3_000, everyMs: 10 });
    run.callersGoTo(others);
    expect(await stopped).toEqual({ code: 0, signal: null });
    await leader.start();
  });
  run.callersGoTo(run.cluster.coordinators);
  const { refusals, unknown, attemptsMax, longestGapMs } = await run.verdict();
  expect({ refusals: [...refusals], unknown, attemptsMax }).toEqual({ refusals: [], unknown: 0, attemptsMax: 1 });
  expect(longestGapMs).toBeLessThan(5_000);
});
