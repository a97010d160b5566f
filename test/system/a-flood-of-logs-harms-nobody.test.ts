import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";

const noEngine = await whyNoEngineHere();
const LOG_BYTES_MAX = 1 << 20;
const FLOOD_BYTES = 64 << 20;

test.skipIf(noEngine !== null)(
  "a prover that floods its log is cut at the limit, and neither the next task nor the node waits for it",
  async () => {
    await using cluster = await startCluster({
      engine: true,
      coordinatorSettings: { ELASTIC_TASK_LOG_BYTES_MAX: `${LOG_BYTES_MAX}` },
    });
    const client = cluster.client();
    const image = await cluster.publish("misbehave");
    const flood = await client.readyService("floods", {
      image,
      env: { MISBEHAVE: "log-flood", LOG_FLOOD_BYTES: `${FLOOD_BYTES}` },
    });
    const calm = await client.readyService("echoes", { image, env: { MISBEHAVE: "echo" } });

    const flooding = await client.postTask(flood.service_id, "{}");
    await expect
      .poll(async () => (await client.call(`/v1/tasks/${flooding.task_id}/logs`)).text.length, { timeout: 90_000 })
      .toBeGreaterThan(0);
    const before = performance.now();
    expect(await client.prove(calm.service_id, '"during it"')).toMatchObject({ result: "during it" });
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(await client.ended(flooding.task_id)).toMatchObject({ state: "SUCCESS", attempt: 1 });

    const log = await client.call(`/v1/tasks/${flooding.task_id}/logs?follow=1`);
    const mark = `\n… log cut at ${LOG_BYTES_MAX} bytes: the rest of it is dropped\n`;
    expect(Buffer.byteLength(log.text)).toBe(LOG_BYTES_MAX + Buffer.byteLength(mark));
    expect(log.text.endsWith(mark)).toBe(true);
    // And the same container serves on, its next log its own.
    const again = await client.prove(flood.service_id, "{}");
    const next = await client.call(`/v1/tasks/${again.task_id}/logs?follow=1`);
    expect(next.text.startsWith("flood line 000000000001 ")).toBe(true);
    // No link was lost meanwhile: heartbeats were never late.
    const lost = readFileSync(join(cluster.folder, "agent-1.log"), "utf8").match(/link lost/g);
    expect(lost).toBeNull();
  },
);
