/** What is neither a team's folder nor its file, among blobs that are read, swept and scrubbed. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { BlobCorruptError, type BlobStore } from "./blob-store.ts";
import { openFileBlobs } from "./file-blobs.ts";
import { fallsTo, scrub } from "./scrub-loop.ts";
import { verifiedBlobs } from "./verified-blobs.ts";

const TEAM = "0".repeat(32);
const HOUR_MS = 3_600_000;
const WEEK = 7 * 24;
const TEXT = "the bytes of a blob";
const SHA256 = createHash("sha256").update(TEXT).digest("hex");
const LARGE = { bytes: 2 * 1024 * 1024 };
const nothingNamed = async () => new Set<string>();
const log = createLog({ name: "test", level: "silent" });

let dir: string;
let blobs: BlobStore;
let warnings: string[];
let corrupt: string[];
const path = () => join(dir, "data", TEAM, SHA256);

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "stray-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  warnings = [];
  corrupt = [];
  const files = await openFileBlobs({ dir, storeId: "s", foundStray: (message) => warnings.push(message) });
  blobs = verifiedBlobs(files, ({ sha256 }) => corrupt.push(sha256));
});

async function put(text = TEXT): Promise<string> {
  const source = (async function* () {
    yield Buffer.from(text);
  })();
  return (await blobs.put(TEAM, source, { bytesMax: 100 })).sha256;
}

function makeOld(file: string): void {
  utimesSync(file, 1, 1);
}

const STRAY: readonly (readonly [what: string, make: (at: string) => void])[] = [
  ["directory", (at) => mkdirSync(at)],
  ["FIFO", (at) => void execFileSync("mkfifo", [at])],
  ["symbolic link", (at) => symlinkSync(at, at)],
];

describe.each(STRAY)("a %s in the place of a blob", (what, make) => {
  beforeEach(async () => {
    await put();
    rmSync(path());
    make(path());
  });

  test("is read as a damaged blob, and reported once by its path", async () => {
    for (const from of [{}, { bytes: TEXT.length }, { bytes: TEXT.length, offset: 3 }]) {
      await expect(blobs.open(TEAM, SHA256, from)).rejects.toThrow(BlobCorruptError);
    }
    const large = await blobs.open(TEAM, SHA256, LARGE);
    await expect(large && buffer(large.stream)).rejects.toThrow(BlobCorruptError);
    const unverified = await blobs.open(TEAM, SHA256, { isVerifiedByReader: true });
    expect(unverified && [unverified.bytes, await buffer(unverified.stream)]).toEqual([0, Buffer.alloc(0)]);
    expect(corrupt).toEqual(Array(4).fill(SHA256));
    expect(warnings).toEqual([
      expect.stringMatching(`^${path()} is a ${what} and does not belong there: .* move it away$`),
    ]);
  });

  test("is missing for whoever has the bytes, and replaced when they are put again", async () => {
    expect([await blobs.has(TEAM, SHA256), await blobs.renew(TEAM, SHA256)]).toEqual([false, null]);
    expect(await Promise.all([put(), put()])).toEqual([SHA256, SHA256]);
    const read = await blobs.open(TEAM, SHA256, { bytes: TEXT.length });
    expect(read && (await buffer(read.stream)).toString()).toBe(TEXT);
    expect(await blobs.renew(TEAM, SHA256)).toEqual({ bytes: TEXT.length });
  });
});

test("a directory in the place of a blob keeps what it holds, and is named with the place to which it was moved", async () => {
  mkdirSync(path(), { recursive: true });
  writeFileSync(join(path(), "kept"), "somebody's");
  await put();
  const [aside = "", ...others] = readdirSync(join(dir, "tmp")).map((name) => join(dir, "tmp", name));
  expect([readFileSync(join(aside, "kept"), "utf8"), others]).toEqual(["somebody's", []]);
  expect(warnings).toEqual([
    `${path()} is a directory in the place of a blob, and was moved to ${aside}: look at it, then remove it`,
  ]);
  makeOld(aside);
  expect(await blobs.sweep(nothingNamed, HOUR_MS)).toEqual({ blobs: 0, bytes: 0 });
  expect(existsSync(join(aside, "kept"))).toBe(true);
});

test("sweeps and scrubs the blobs next to stray entries, which stay and are reported once each", async () => {
  const places = [
    (name: string) => join(dir, "data", name),
    (name: string) => join(dir, "data", TEAM, name),
    (name: string) => join(dir, "tmp", name),
  ];
  await put();
  const made = places.flatMap((at) => STRAY.map(([what, make]) => ({ at: at(what), make })));
  for (const { at, make } of made) {
    make(at);
    if (!lstatSync(at).isSymbolicLink()) makeOld(at);
  }
  const file = join(dir, "data", "lost");
  writeFileSync(file, "somebody's");
  makeOld(file);
  const stray = [...made.map(({ at }) => at), file];

  const hour = [...Array(WEEK).keys()].find((one) => fallsTo(SHA256, one)) ?? 0;
  for (const _ of ["once", "again"]) {
    const scrubbed = await scrub({ blobs, clock: systemClock, log }, hour, new AbortController().signal);
    expect(scrubbed).toMatchObject({ blobs: 1, corrupt: 0, unreadable: 0 });
  }
  makeOld(path());
  expect(await blobs.sweep(nothingNamed, HOUR_MS)).toEqual({ blobs: 1, bytes: TEXT.length });
  expect(await blobs.sweep(nothingNamed, HOUR_MS)).toEqual({ blobs: 0, bytes: 0 });
  for (const at of stray) expect(lstatSync(at)).toBeDefined();
  expect(warnings.map((line) => line.split(" is a ")[0]).toSorted()).toEqual(stray.toSorted());
});

test("a team's folder that is a link to another disk is used as before", async () => {
  const other = mkdtempSync(join(tmpdir(), "stray-other-"));
  onTestFinished(() => rmSync(other, { recursive: true }));
  symlinkSync(other, join(dir, "data", TEAM));
  await put();
  makeOld(join(other, SHA256));
  const listed = [];
  for await (const { sha256 } of blobs.list()) listed.push(sha256);
  expect([listed, await blobs.sweep(nothingNamed, HOUR_MS)]).toEqual([[SHA256], { blobs: 1, bytes: TEXT.length }]);
  expect(warnings).toEqual([]);
});
