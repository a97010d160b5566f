import { expect, test } from "vitest";
import { startPostgres } from "../cluster/postgres.ts";
import { startScenario } from "../scenario/scenario.ts";

const AWAY_MS = 8_000;

test("while PostgreSQL is down lists are 503, its loops are shown as failing, and tasks are created and end", async () => {
  await using postgres = await startPostgres();
  await using run = await startScenario({ coordinatorSettings: { ELASTIC_ARCHIVE: postgres.newDatabase() } });
  const [coordinator] = run.cluster.coordinators;
  const client = run.cluster.client();
  const failing = async () => {
    const metrics = await (await fetch(coordinator?.metricsUrl ?? "")).text();
    return /^elastic_loop_failing\{loop="move_audit_entries"\} (\d)$/m.exec(metrics)?.[1];
  };
  await run.fault(async () => {
    await postgres.crash();
    const list = await client.call("/v1/tasks");
    expect(list).toMatchObject({ status: 503, json: { code: "archive_unavailable" } });
    expect(Number(list.headers.get("retry-after"))).toBeGreaterThan(0);
    // An entry of the audit log, which would move there.
    await client.createService("meanwhile");
    await run.lasts(AWAY_MS);
    expect(await failing()).toBe("1");
    await postgres.start();
  });
  await expect.poll(failing, { timeout: 30_000 }).toBe("0");
  expect((await client.call("/v1/tasks")).status).toBe(200);
  const { accepted, refusals, attemptsMax } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(20);
  expect({ refusals: [...refusals], attemptsMax }).toEqual({ refusals: [], attemptsMax: 1 });
});
