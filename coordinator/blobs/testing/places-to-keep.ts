/** The stores of large values, for the tests of the contract that they share. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bucket } from "../s3/bucket.ts";
import { openBucket } from "../s3/open-bucket.ts";
import { startFakeS3 } from "./fake-s3.ts";
import { BUCKET, CREDENTIALS, startS3rver } from "./s3rver.ts";

export const STORE_ID = "s";

/** How a keeper is opened in each kind of place; the place is its own, and empty. */
export interface Openers<Keeper> {
  inFolder(dir: string): Promise<Keeper>;
  inBucket(bucket: Bucket): Keeper;
}

export interface Place<Keeper> extends AsyncDisposable {
  /** Each opened keeper is empty. */
  open(): Promise<Keeper>;
}

export function placesToKeep<Keeper>({
  inFolder,
  inBucket,
}: Openers<Keeper>): readonly (readonly [name: string, start: () => Promise<Place<Keeper>>])[] {
  return [
    ["files", async () => folders(inFolder)],
    ["a bucket of a test server", async () => buckets(await startS3rver(), inBucket)],
    ["a bucket of a strict one", async () => buckets(await startFakeS3(), inBucket)],
  ];
}

function folders<Keeper>(keeperIn: (dir: string) => Promise<Keeper>): Place<Keeper> {
  const root = mkdtempSync(join(tmpdir(), "elastic-kept-"));
  let count = 0;
  return {
    open: () => keeperIn(join(root, `${++count}`)),
    [Symbol.asyncDispose]: async () => rmSync(root, { recursive: true }),
  };
}

function buckets<Keeper>(
  server: AsyncDisposable & { readonly endpoint: string },
  keeperIn: (bucket: Bucket) => Keeper,
): Place<Keeper> {
  const opened: Bucket[] = [];
  return {
    async open() {
      const location = { bucket: BUCKET, prefix: `${opened.length}/` };
      const place = { endpoint: server.endpoint, region: "us-east-1", credentials: CREDENTIALS };
      const bucket = await openBucket({ location, storeId: STORE_ID, ...place });
      opened.push(bucket);
      return keeperIn(bucket);
    },
    async [Symbol.asyncDispose]() {
      for (const bucket of opened) bucket.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
