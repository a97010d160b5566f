/** An object store behind a proxy, which a scenario takes away. */
import { BUCKET, CREDENTIALS, startS3rver } from "@elastic/coordinator/blobs/testing/s3rver.ts";
import { type FaultProxy, startFaultProxy } from "../cluster/fault-proxy.ts";

export interface ReachedBucket extends AsyncDisposable {
  readonly line: FaultProxy;
  /** Of the coordinators that have their blobs there. */
  readonly settings: Readonly<Record<string, string>>;
}

export async function startBucket(): Promise<ReachedBucket> {
  await using starting = new AsyncDisposableStack();
  const server = starting.use(await startS3rver());
  const line = starting.use(await startFaultProxy(new URL(server.endpoint).host));
  const started = starting.move();
  return {
    line,
    settings: {
      ELASTIC_BLOBS: `s3://${BUCKET}/proofs`,
      ELASTIC_S3_ENDPOINT: `http://${line.address}`,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      ELASTIC_BLOBS_DIR: "/proc/nowhere",
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
