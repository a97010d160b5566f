/** The stores of large values, for the tests of the contract that they share. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bucket } from "../s3/bucket.ts";
import { openBucket } from "../s3/open-bucket.ts";
import { startFakeS3 } from "./fake-s3.ts";
import { BUCKET, CREDENTIALS, startS3rver } from "./s3rver.ts";

export const STORE_ID = "s";

/** How a store is opened in each kind of backend, which is empty and used by nobody else. */
export interface Openers<Opened> {
  inFolder(dir: string): Promise<Opened>;
  inBucket(bucket: Bucket): Opened;
}

export interface Backend<Opened> extends AsyncDisposable {
  /** Each opened store is empty. */
  open(): Promise<Opened>;
}

export function blobBackends<Opened>({
  inFolder,
  inBucket,
}: Openers<Opened>): readonly (readonly [name: string, start: () => Promise<Backend<Opened>>])[] {
  return [
    ["files", async () => folders(inFolder)],
    ["a bucket of a test server", async () => buckets(await startS3rver(), inBucket)],
    ["a bucket of a strict one", async () => buckets(await startFakeS3(), inBucket)],
  ];
}

function folders<Opened>(openIn: (dir: string) => Promise<Opened>): Backend<Opened> {
  const root = mkdtempSync(join(tmpdir(), "elastic-blobs-"));
  let count = 0;
  return {
    open: () => openIn(join(root, `${++count}`)),
    [Symbol.asyncDispose]: async () => rmSync(root, { recursive: true }),
  };
}

function buckets<Opened>(
  server: AsyncDisposable & { readonly endpoint: string },
  openIn: (bucket: Bucket) => Opened,
): Backend<Opened> {
  const opened: Bucket[] = [];
  return {
    async open() {
      const location = { bucket: BUCKET, prefix: `${opened.length}/` };
      const backend = { endpoint: server.endpoint, region: "us-east-1", credentials: CREDENTIALS };
      const bucket = await openBucket({ location, storeId: STORE_ID, ...backend });
      opened.push(bucket);
      return openIn(bucket);
    },
    async [Symbol.asyncDispose]() {
      for (const bucket of opened) bucket.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
