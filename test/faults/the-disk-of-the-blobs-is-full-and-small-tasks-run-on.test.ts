import { join } from "node:path";
import { expect, test } from "vitest";
import { smallDisk } from "../cluster/small-disk.ts";
import { startScenario } from "../scenario/scenario.ts";

const FULL_MS = 5_000;
const LARGE = JSON.stringify("x".repeat(256 * 1024));

test("a large input is refused with 507 and leaves nothing; with room again it is proved", async () => {
  using disk = smallDisk("16m");
  await using run = await startScenario({
    coordinatorSettings: { ELASTIC_BLOBS_DIR: join(disk.path, "blobs"), ELASTIC_BLOBS_RESERVE: "0" },
    agentSettings: { ELASTIC_SLOTS: "3" },
  });
  const client = run.cluster.client();
  const { service_id: echo } = await client.readyService("echo", { image: "builtin:echo" });
  const create = () =>
    client.call(`/v1/services/${echo}`, {
      method: "POST",
      body: `{"input":${LARGE}}`,
      headers: { "content-type": "application/json" },
    });
  await run.fault(async () => {
    expect(disk.fill()).toBeGreaterThan(0);
    expect(await create()).toMatchObject({ status: 507, json: { code: "storage_full" } });
    await run.lasts(FULL_MS);
    disk.free();
    expect(await client.prove(echo, LARGE)).toMatchObject({ state: "SUCCESS", result: JSON.parse(LARGE) });
  });
  const { accepted, refusals, attemptsMax } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(20);
  expect({ refusals: [...refusals], attemptsMax }).toEqual({ refusals: [], attemptsMax: 1 });
});
