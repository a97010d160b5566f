import { BUCKET, CREDENTIALS, type S3rver, startS3rver } from "@elastic/coordinator/blobs/testing/s3rver.ts";
import { test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";

const LINES = 2_000;
const COMPLETE = Array.from({ length: LINES }, (_, line) => `line ${line + 1}\n`).join("");

/** Nothing but the bucket may be written to. */
function inBucketOnly({ endpoint }: S3rver) {
  return {
    ELASTIC_BLOBS: `s3://${BUCKET}/proofs`,
    ELASTIC_S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    ELASTIC_BLOBS_DIR: "/proc/nowhere",
  };
}

// Each has its own cluster.
test.concurrent("with a bucket configured large inputs and results go through it, and no directory holds them", async ({
  expect,
}) => {
  await using s3 = await startS3rver();
  await using cluster = await startCluster({ coordinatorSettings: inBucketOnly(s3) });
  const client = cluster.client();
  const service = await client.readyService("echo", { image: "builtin:echo" });
  for (const bytes of [5_000, 9 * 1024 * 1024]) {
    const input = `"${"é".repeat(bytes / 2)}"`;
    const { task_id } = await client.prove(service.service_id, input);
    const { result_url: link } = await client.task(task_id);
    const response = await fetch(link ?? "");
    expect([response.status, (await response.text()) === JSON.parse(input)]).toEqual([200, true]);
  }
});

test.concurrent("logs are in the bucket too: any coordinator serves them as they grow, and after the one that received them is gone", async ({
  expect,
}) => {
  await using s3 = await startS3rver();
  await using cluster = await startCluster({ coordinators: 2, coordinatorSettings: inBucketOnly(s3) });
  const clients = cluster.coordinators.map((coordinator) => cluster.client(coordinator));
  const [first, second] = clients;
  if (first === undefined || second === undefined) throw new Error("the cluster has two coordinators");
  const { service_id } = await first.readyService("sleep", { image: "builtin:sleep" });
  const { task_id } = await first.postTask(service_id, `{"ms":4000,"lines":${LINES}}`);
  const logs = await Promise.all(
    clients.map(async (client) => (await client.call(`/v1/tasks/${task_id}/logs?follow=1`)).text),
  );
  expect(logs).toEqual([COMPLETE, COMPLETE]);
  await cluster.coordinators[0]?.kill();
  const left = async () => (await second.call(`/v1/tasks/${task_id}/logs`)).text;
  await expect.poll(left, { timeout: 90_000 }).toBe(COMPLETE);
});
