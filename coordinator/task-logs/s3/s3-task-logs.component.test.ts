import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Bucket } from "../../blobs/s3/bucket.ts";
import { openBucket } from "../../blobs/s3/open-bucket.ts";
import { type FakeS3, startFakeS3 } from "../../blobs/testing/fake-s3.ts";
import type { LogRef } from "../task-logs.ts";
import { openS3TaskLogs } from "./s3-task-logs.ts";

const REF: LogRef = { teamId: "a".repeat(32), taskId: "1".repeat(32), attempt: 1 };
const PREFIX = `blobs/p/logs/${REF.teamId}/${REF.taskId}/1/`;
const ALL = 1 << 23;

let s3: FakeS3;
let buckets: Bucket[];

beforeEach(async () => {
  s3 = await startFakeS3();
  buckets = [];
});
afterEach(async () => {
  for (const bucket of buckets) bucket.close();
  await s3[Symbol.asyncDispose]();
});

/** As another coordinator has it. */
async function open() {
  const location = { bucket: "blobs", prefix: "p/" };
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const bucket = await openBucket({ location, storeId: "s", region: "us-east-1", endpoint: s3.endpoint, credentials });
  buckets.push(bucket);
  return openS3TaskLogs(bucket);
}

function names(): string[] {
  return [...s3.objects.keys()].filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length));
}

describe("coordinators that share a bucket", () => {
  test("resume where the other one stopped, and either reads what the other received", async () => {
    const [one, two] = [await open(), await open()];
    await one.append(REF, 0, Buffer.from("first "));
    expect(String(await two.read(REF, 0, ALL))).toBe("first ");
    expect(await two.append(REF, 6, Buffer.from("second "))).toEqual({ bytes: 13, complete: false });
    expect(await one.append(REF, 13, Buffer.from("third"))).toEqual({ bytes: 18, complete: false });
    expect(String(await two.read(REF, 0, ALL))).toBe("first second third");
    await two.complete(REF);
    expect(await one.state(REF)).toEqual({ bytes: 18, complete: true });
  });

  test("harm nothing where one repeats late what the other has, or merges what it writes", async () => {
    const [one, two] = [await open(), await open()];
    const whole = Buffer.from(Array.from({ length: 1_000 }, (_, at) => at % 251));
    for (let at = 0; at < 1_000; at += 10) {
      const writer = at % 20 === 0 ? one : two;
      await writer.append(REF, at, whole.subarray(at, at + 10));
      // It knows less than there is.
      if (at === 500) await one.append(REF, 470, whole.subarray(470, 505));
    }
    await Promise.all([one.complete(REF), two.complete(REF)]);
    for (const reader of [one, two]) expect(await reader.read(REF, 0, ALL)).toEqual(whole);
  });

  test("read on though what they knew of the log was merged from under them", async () => {
    const [writer, reader] = [await open(), await open()];
    for (let at = 0; at < 6; at += 2) await writer.append(REF, at, Buffer.from(`${at}-`));
    expect(String(await reader.read(REF, 0, ALL))).toBe("0-2-4-");
    await writer.complete(REF);
    expect(names().sort()).toEqual(["0-6", "complete-6"]);
    expect(String(await reader.read(REF, 1, ALL))).toBe("-2-4-");
  });
});

test("a log that comes in many small pieces is few objects while it grows, and fewer when it is complete", async () => {
  const logs = await open();
  const line = Buffer.from("a line of a prover\n");
  for (let at = 0; at < 300; at++) {
    await logs.append(REF, at * line.length, line);
    expect(names().length).toBeLessThanOrEqual(64);
  }
  await logs.complete(REF);
  expect(names().sort()).toEqual([`0-${300 * line.length}`, `complete-${300 * line.length}`]);
  expect(await logs.read(REF, 0, ALL)).toEqual(Buffer.alloc(300 * line.length, line));
});

test("objects of a large log stay as large as one should be", async () => {
  const logs = await open();
  const piece = Buffer.alloc(100 * 1024, "x");
  for (let at = 0; at < 25; at++) await logs.append(REF, at * piece.length, piece);
  await logs.complete(REF);
  const sizes = names().map((name) => s3.objects.get(PREFIX + name)?.body.length ?? 0);
  expect(sizes.sort((a, b) => b - a)).toEqual([10 * piece.length, 10 * piece.length, 5 * piece.length, 0]);
});

test("a piece that could not be written is not acknowledged, and is taken when it comes again", async () => {
  const logs = await open();
  await logs.append(REF, 0, Buffer.from("one"));
  s3.before = () => Promise.reject(new Error("away"));
  await expect(logs.append(REF, 3, Buffer.from("two"))).rejects.toThrow("the object store");
  s3.before = async () => undefined;
  expect(await logs.append(REF, 3, Buffer.from("two"))).toEqual({ bytes: 6, complete: false });
  expect(String(await logs.read(REF, 0, ALL))).toBe("onetwo");
});
