import { BUCKET, CREDENTIALS, startS3rver } from "@elastic/coordinator/blobs/testing/s3rver.ts";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";

test("with a bucket configured large inputs and results go through it, and no directory holds them", async () => {
  await using s3 = await startS3rver();
  await using cluster = await startCluster({
    coordinatorSettings: {
      ELASTIC_BLOBS: `s3://${BUCKET}/proofs`,
      ELASTIC_S3_ENDPOINT: s3.endpoint,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      // Nothing but the bucket may be written to.
      ELASTIC_BLOBS_DIR: "/proc/nowhere",
    },
  });
  const client = cluster.client();
  const service = await client.readyService("echo", { image: "builtin:echo" });
  for (const bytes of [5_000, 9 * 1024 * 1024]) {
    const input = `"${"é".repeat(bytes / 2)}"`;
    const { task_id } = await client.prove(service.service_id, input);
    const { result_url: link } = await client.task(task_id);
    const answer = await fetch(link ?? "");
    expect([answer.status, (await answer.text()) === JSON.parse(input)]).toEqual([200, true]);
  }
});
