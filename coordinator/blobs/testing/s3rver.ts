/** A public test server of S3's protocol, in a separate process. */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "@elastic/deploy/local/child.ts";

const MAIN = join(createRequire(import.meta.url).resolve("s3rver/package.json"), "../bin/s3rver.js");
const START_TIMEOUT_MS = 30_000;
export const BUCKET = "blobs";
/** The only ones that it knows. */
export const CREDENTIALS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

export interface S3rver extends AsyncDisposable {
  readonly endpoint: string;
}

export async function startS3rver(): Promise<S3rver> {
  const dir = mkdtempSync(join(tmpdir(), "s3rver-"));
  const child = await startChild({
    name: "s3rver",
    command: process.execPath,
    args: [MAIN, "-d", dir, "-a", "127.0.0.1", "-p", "0", "--configure-bucket", BUCKET],
    env: {},
    logFile: join(dir, "log"),
  });
  const port = await child.line((line) => /listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1], START_TIMEOUT_MS);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await child.stop();
      rmSync(dir, { recursive: true });
    },
  };
}
