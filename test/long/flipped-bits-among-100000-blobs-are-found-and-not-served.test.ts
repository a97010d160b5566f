/** A disk that flips bits: the scrub over a directory of many blobs, and what clients receive of the damaged ones. */
import { createHash, randomBytes, randomInt } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openFileBlobs } from "@elastic/coordinator/blobs/file-blobs.ts";
import { reportCorruptBlob } from "@elastic/coordinator/blobs/report-corrupt-blob.ts";
import { scrub } from "@elastic/coordinator/blobs/scrub-loop.ts";
import { VERIFIED_FIRST_BYTES_MAX, verifiedBlobs } from "@elastic/coordinator/blobs/verified-blobs.ts";
import { succeed } from "@elastic/coordinator/domain/task.ts";
import { call } from "@elastic/coordinator/http/testing/call.ts";
import { addReadyService, startHttpFixture } from "@elastic/coordinator/http/testing/http-fixture.ts";
import { claimTask } from "@elastic/coordinator/http/testing/run-task.ts";
import { createMetrics } from "@elastic/coordinator/metrics/metrics.ts";
import { replace } from "@elastic/coordinator/store/change.ts";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { seededNumbers } from "./seeded-numbers.ts";

const BLOBS = 100_000;
/** Every so many is larger than what is compared before its first byte is sent. */
const LARGE_EVERY = 1_000;
const FLIPPED = 100;
/** Of those: in large blobs. */
const FLIPPED_LARGE = 10;
const HOURS_OF_WEEK = 7 * 24;

interface Blob {
  readonly sha256: string;
  readonly bytes: number;
}

/** Results as text, written as a put leaves them. */
function writeBlobs(folder: string): readonly Blob[] {
  mkdirSync(folder, { recursive: true });
  const noise = randomBytes(2 * VERIFIED_FIRST_BYTES_MAX).toString("base64");
  return Array.from({ length: BLOBS }, (_, n) => {
    const bytes = n % LARGE_EVERY === 0 ? VERIFIED_FIRST_BYTES_MAX + 1 + randomInt(500_000) : 1 + randomInt(4_000);
    const text = `${n}:${noise.slice(0, bytes)}`;
    const sha256 = createHash("sha256").update(text).digest("hex");
    writeFileSync(join(folder, sha256), text);
    return { sha256, bytes: text.length };
  });
}

/** So many different ones. */
function choose<T>(from: readonly T[], count: number, random: (below: number) => number): readonly T[] {
  const chosen = new Set<T>();
  while (chosen.size < count) chosen.add(from[random(from.length)] as T);
  return [...chosen];
}

function flipBit(path: string, bit: number): void {
  const file = openSync(path, "r+");
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, bit >> 3);
  writeSync(file, Buffer.of((byte[0] ?? 0) ^ (1 << (bit & 7))), 0, 1, bit >> 3);
  closeSync(file);
}

test("finds each of 100 flipped bits among 100,000 blobs, reports no other, and serves none of them as complete", async () => {
  const seed = randomInt(2 ** 31);
  const random = seededNumbers(seed);
  using folder = makeWorkFolder();
  const metrics = createMetrics();
  const log = createLog({ name: "test", level: "silent" });
  const report = reportCorruptBlob(metrics, log);
  const found: string[] = [];
  const blobs = verifiedBlobs(await openFileBlobs({ dir: folder.path, storeId: "s" }), (error) => {
    report(error);
    found.push(error.sha256);
  });
  const api = await startHttpFixture(log, { blobs });
  await using _ = { [Symbol.asyncDispose]: () => api.close() };
  const { key, teamId } = api.own;
  const fileOf = (sha256: string) => join(folder.path, "data", teamId, sha256);
  const all = writeBlobs(join(folder.path, "data", teamId));
  const isLarge = ({ bytes }: Blob) => bytes > VERIFIED_FIRST_BYTES_MAX;
  const flipped = [
    ...choose(all.filter(isLarge), FLIPPED_LARGE, random),
    ...choose(
      all.filter((blob) => !isLarge(blob)),
      FLIPPED - FLIPPED_LARGE,
      random,
    ),
  ];
  const service = await addReadyService(api.store, api.own);
  /** The address of the result of a task that ended with this blob. */
  const resultOf = async ({ sha256, bytes }: Blob): Promise<string> => {
    const created = await call(`${api.url}/v1/services/${service.id}`, { key, body: '{"input":1}' });
    const id = created.json.task_id;
    await claimTask(api, id);
    const task = await api.store.get("tasks", id);
    if (task === null) throw new Error(`there is no task ${id}`);
    const ended = succeed(task.value, { bytes, sha256, where: "blob" }, 1, Date.now());
    await api.store.commit([replace("tasks", task, ended)]);
    return `${api.url}/v1/tasks/${id}/result`;
  };
  const results = new Map<Blob, string>();
  for (const blob of flipped) {
    const url = await resultOf(blob);
    results.set(blob, url);
    const { status, text } = await call(url, { key });
    expect([status, text.length]).toEqual([200, blob.bytes]);
    flipBit(fileOf(blob.sha256), random(8 * blob.bytes));
  }

  const beganMs = performance.now();
  const cpu = process.cpuUsage();
  const week = { blobs: 0, corrupt: 0, unreadable: 0 };
  for (let hour = 0; hour < HOURS_OF_WEEK; hour++) {
    const scrubbed = await scrub({ blobs, clock: systemClock, log }, hour, new AbortController().signal);
    for (const what of ["blobs", "corrupt", "unreadable"] as const) week[what] += scrubbed[what];
  }
  const seconds = (performance.now() - beganMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const bytes = all.reduce((sum, blob) => sum + blob.bytes, 0);
  process.stdout.write(
    `seed ${seed}: ${week.corrupt} of ${FLIPPED} flipped bits found in ${BLOBS} blobs of ${bytes >> 20} MiB, a week's hours in ${Math.round(seconds)} s, ${Math.round((user + system) / 1e6)} s of CPU\n`,
  );
  expect(found.toSorted(), `seed ${seed}`).toEqual(flipped.map(({ sha256 }) => sha256).toSorted());
  expect(week, `seed ${seed}`).toEqual({ blobs: BLOBS - FLIPPED, corrupt: FLIPPED, unreadable: 0 });
  expect(await metrics.registry.getSingleMetric("elastic_blobs_corrupt_total")?.get()).toMatchObject({
    values: [{ value: FLIPPED }],
  });

  const served = { refused: 0, broken: 0, complete: 0 };
  for (const [blob, url] of results) {
    const response = await call(url, { key }).catch(() => null);
    if (response === null) served.broken += 1;
    else if (response.status === 502 && response.json.code === "result_corrupt") served.refused += 1;
    else served.complete += 1;
    expect(response === null, `${blob.sha256}, seed ${seed}`).toBe(isLarge(blob));
  }
  expect(served, `seed ${seed}`).toEqual({ refused: FLIPPED - FLIPPED_LARGE, broken: FLIPPED_LARGE, complete: 0 });
});
