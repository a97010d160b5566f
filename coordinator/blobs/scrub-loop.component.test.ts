import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import { afterAll, expect, test } from "vitest";
import type { BlobStore } from "./blob-store.ts";
import { openFileBlobs } from "./file-blobs.ts";
import { fallsTo, hourOfWeek, scrub } from "./scrub-loop.ts";
import { verifiedBlobs } from "./verified-blobs.ts";

const HOUR_MS = 3_600_000;
const WEEK = 7 * 24;
const TEAMS = ["a", "b"].map((letter) => letter.repeat(32));
const BLOBS = 600;
const DAMAGED = 20;
const NEVER = new AbortController().signal;
const log = createLog({ name: "test", level: "silent" });

const folder = makeWorkFolder();
afterAll(() => folder[Symbol.dispose]());

/** Blobs of some bytes, written as a put leaves them; every so many is damaged. Returns the damaged ones. */
function writeBlobs(dir: string): ReadonlySet<string> {
  const damaged = new Set<string>();
  for (const team of TEAMS) mkdirSync(join(dir, "data", team), { recursive: true });
  for (let n = 0; n < BLOBS; n++) {
    const bytes = randomBytes(50 + (n % 500));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (n % (BLOBS / DAMAGED) === 0) {
      bytes[n % bytes.length] = (bytes[n % bytes.length] ?? 0) ^ (1 << (n % 8));
      damaged.add(sha256);
    }
    writeFileSync(join(dir, "data", TEAMS[n % 2] ?? "", sha256), bytes);
  }
  return damaged;
}

async function scrubWeek(blobs: Pick<BlobStore, "list" | "open">) {
  const week = { blobs: 0, corrupt: 0, unreadable: 0 };
  for (let hour = 0; hour < WEEK; hour++) {
    const scrubbed = await scrub({ blobs, clock: systemClock, log }, hour, NEVER);
    for (const what of ["blobs", "corrupt", "unreadable"] as const) week[what] += scrubbed[what];
  }
  return week;
}

test("finds every damaged blob within a week of hours, each once", async () => {
  const dir = join(folder.path, "week");
  const damaged = writeBlobs(dir);
  const found: string[] = [];
  const blobs = verifiedBlobs(await openFileBlobs({ dir, storeId: "s" }), ({ sha256 }) => found.push(sha256));
  expect(await scrubWeek(blobs)).toEqual({ blobs: BLOBS - DAMAGED, corrupt: DAMAGED, unreadable: 0 });
  expect(found.toSorted()).toEqual([...damaged].toSorted());
});

test("continues past a blob that cannot be read, and counts it", async () => {
  const dir = join(folder.path, "unreadable");
  writeBlobs(dir);
  const verified = verifiedBlobs(await openFileBlobs({ dir, storeId: "s" }), () => undefined);
  let opened = 0;
  const open: BlobStore["open"] = async (...args) => {
    opened += 1;
    if (opened === 2) throw new Error("the disk failed");
    return await verified.open(...args);
  };
  const week = await scrubWeek({ list: () => verified.list(), open });
  expect([week.unreadable, week.blobs + week.corrupt]).toEqual([1, BLOBS - 1]);
});

test("skips what was swept since it was listed, and stops when it is stopped", async () => {
  const dir = join(folder.path, "swept");
  writeBlobs(dir);
  const blobs = verifiedBlobs(await openFileBlobs({ dir, storeId: "s" }), () => undefined);
  const gone = { list: () => blobs.list(), open: async () => null };
  expect(await scrub({ blobs: gone, clock: systemClock, log }, 0, NEVER)).toMatchObject({ blobs: 0, unreadable: 0 });
  expect(await scrub({ blobs, clock: systemClock, log }, 0, AbortSignal.abort())).toMatchObject({ blobs: 0 });
});

test("gives each digest one hour of the week, and each hour its turn", () => {
  const sha256 = createHash("sha256").update("x").digest("hex");
  const hours = [...Array(WEEK).keys()];
  expect(hours.filter((hour) => fallsTo(sha256, hour))).toHaveLength(1);
  expect(new Set(hours.map((hour) => hourOfWeek(hour * HOUR_MS + 1)))).toEqual(new Set(hours));
  expect(hourOfWeek(WEEK * HOUR_MS)).toBe(0);
});
