/** The contract of every store of logs. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Backend, blobBackends } from "../blobs/testing/blob-backends.ts";
import { openFileTaskLogs } from "./file-task-logs.ts";
import { openS3TaskLogs } from "./s3/s3-task-logs.ts";
import type { LogRef, TaskLogs } from "./task-logs.ts";

const TEAM = "a".repeat(32);
const REF: LogRef = { teamId: TEAM, taskId: "1".repeat(32), attempt: 1 };
const ALL = 1 << 20;

const PLACES = blobBackends<TaskLogs>({
  inFolder: async (dir) => openFileTaskLogs(dir),
  inBucket: (bucket) => openS3TaskLogs(bucket),
});

describe.each(PLACES)("logs in %s", (_, start) => {
  let backend: Backend<TaskLogs>;
  let openLogs: () => Promise<TaskLogs>;

  beforeAll(async () => {
    backend = await start();
    openLogs = () => backend.open();
  });
  afterAll(() => backend[Symbol.asyncDispose]());

  test("chunks sent in any order and any number of times leave every byte once, in its place", async () => {
    const whole = Buffer.from(Array.from({ length: 300 }, (_, at) => at % 251));
    const pieces = fc.array(fc.record({ offset: fc.nat(300), length: fc.nat(120) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pieces, async (sent) => {
        const logs = await openLogs();
        let kept = 0;
        for (const { offset, length } of sent) {
          const piece = whole.subarray(offset, offset + length);
          const { bytes } = await logs.append(REF, offset, piece);
          if (offset <= kept) kept = Math.max(kept, offset + piece.length);
          expect(bytes).toBe(kept);
        }
        expect(await logs.read(REF, 0, ALL)).toEqual(whole.subarray(0, kept));
      }),
      { numRuns: 30 },
    );
  });

  test("a piece beyond the end is not taken", async () => {
    const logs = await openLogs();
    await logs.append(REF, 0, Buffer.from("one"));
    expect(await logs.append(REF, 4, Buffer.from("three"))).toEqual({ bytes: 3, complete: false });
    expect(String(await logs.read(REF, 0, ALL))).toBe("one");
  });

  test("the same piece sent twice at once is there once", async () => {
    const logs = await openLogs();
    const piece = Buffer.alloc(50_000, "x");
    await Promise.all([logs.append(REF, 0, piece), logs.append(REF, 0, piece)]);
    expect(await logs.state(REF)).toEqual({ bytes: 50_000, complete: false });
  });

  test("what is read begins and ends at the requested offsets", async () => {
    const logs = await openLogs();
    await logs.append(REF, 0, Buffer.from("0123456789"));
    expect(String(await logs.read(REF, 3, 4))).toBe("3456");
    expect(String(await logs.read(REF, 8, 4))).toBe("89");
    expect(String(await logs.read(REF, 10, 4))).toBe("");
    expect(String(await logs.read(REF, 1000, 4))).toBe("");
  });

  test("a complete log no longer changes, and says so", async () => {
    const logs = await openLogs();
    await logs.append(REF, 0, Buffer.from("all"));
    await logs.complete(REF);
    expect(await logs.state(REF)).toEqual({ bytes: 3, complete: true });
    expect(await logs.append(REF, 3, Buffer.from("more"))).toEqual({ bytes: 3, complete: true });
    expect(String(await logs.read(REF, 0, ALL))).toBe("all");
  });

  test("where nothing was written there is no log", async () => {
    const logs = await openLogs();
    await logs.complete(REF);
    expect(await logs.state(REF)).toBeNull();
    expect(await logs.read(REF, 0, ALL)).toEqual(Buffer.alloc(0));
    expect(await logs.attempts(REF)).toEqual([]);
    expect(await logs.totalBytes()).toBe(0);
  });

  test("a task's logs are removed together, and no other's", async () => {
    const logs = await openLogs();
    const other = { ...REF, taskId: "2".repeat(32) };
    for (const attempt of [10, 2, 1]) await logs.append({ ...REF, attempt }, 0, Buffer.from("four"));
    await logs.append(other, 0, Buffer.from("other"));
    expect(await logs.attempts(REF)).toEqual([1, 2, 10]);
    expect(await logs.totalBytes()).toBe(17);
    await logs.complete({ ...REF, attempt: 2 });
    await logs.remove(REF);
    expect(await logs.attempts(REF)).toEqual([]);
    expect(String(await logs.read(other, 0, ALL))).toBe("other");
    expect(await logs.totalBytes()).toBe(5);
    await logs.remove(REF);
  });

  test("what is no id becomes no path", async () => {
    const logs = await openLogs();
    for (const wrong of [{ teamId: ".." }, { taskId: "../x" }, { attempt: 0 }, { attempt: 1.5 }, { attempt: -1 }]) {
      await expect(logs.append({ ...REF, ...wrong }, 0, Buffer.from("x"))).rejects.toThrow();
    }
  });
});
