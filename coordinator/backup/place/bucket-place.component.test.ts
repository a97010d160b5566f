import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connectBucket } from "../../blobs/s3/open-bucket.ts";
import { type FakeS3, startFakeS3 } from "../../blobs/testing/fake-s3.ts";
import type { BackupPlace } from "./backup-place.ts";
import { bucketPlace } from "./bucket-place.ts";
import { openFile, openPlace } from "./open-place.ts";

let s3: FakeS3;
let place: BackupPlace;

beforeEach(async () => {
  s3 = await startFakeS3();
  const location = { bucket: "blobs", prefix: "backups/" };
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  place = bucketPlace(
    connectBucket({ location, region: "us-east-1", endpoint: s3.endpoint, credentials }),
    "s3://blobs/backups",
  );
});
afterEach(async () => {
  place.close();
  await s3[Symbol.asyncDispose]();
});

test("writes, lists, reads and removes backups under its prefix, and claims nothing", async () => {
  const bytes = Buffer.alloc(100_000, "x");
  await place.write("one.backup.age", Readable.from([bytes]));
  expect([...s3.objects.keys()]).toEqual(["blobs/backups/one.backup.age"]);
  expect(await place.list()).toEqual(["one.backup.age"]);
  const stream = await place.read("one.backup.age");
  expect(stream && (await buffer(stream))).toEqual(bytes);
  expect(await place.read("other.backup.age")).toBeNull();
  await place.remove("one.backup.age");
  expect(await place.list()).toEqual([]);
});

test("leaves nothing of a backup that breaks off", async () => {
  async function* breaking() {
    yield Buffer.from("begun");
    throw new Error("etcd went away");
  }
  await expect(place.write("one.backup.age", Readable.from(breaking()))).rejects.toThrow(/went away/);
  expect(await place.list()).toEqual([]);
});

test.each([
  ["s3://bucket/backups/one.backup.age", "s3://bucket/backups"],
  ["s3://bucket/one.backup.age", "s3://bucket"],
  ["/backups/one.backup.age", "/backups"],
  ["one.backup.age", "."],
])("finds the place of %s", async (text, description) => {
  const opened = await openFile(text, { region: "us-east-1", endpoint: null });
  opened.place.close();
  expect([opened.name, opened.place.description]).toEqual(["one.backup.age", description]);
});

test("rejects what is neither a directory nor a bucket, and a directory in the place of a backup", async () => {
  const access = { region: "us-east-1", endpoint: null };
  await expect(openPlace("s3:/bucket", access)).rejects.toThrow(/neither a directory nor s3:/);
  const { place, name } = await openFile(import.meta.dirname, access);
  await expect(place.read(name)).rejects.toThrow(/is a directory: name one backup in it/);
});
