import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BlobsUnavailableError } from "./blob-store.ts";
import { openFileBlobs } from "./file-blobs.ts";

const TEAM = "0".repeat(32);
const nothingNamed = async () => new Set<string>();
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "blobs-"));
});

afterEach(() => rmSync(dir, { recursive: true }));

test("a directory of another store is refused, and the own one opens again", async () => {
  await openFileBlobs({ dir, storeId: "one" });
  await openFileBlobs({ dir, storeId: "one" });
  await expect(openFileBlobs({ dir, storeId: "two" })).rejects.toThrow(/holds the blobs of store one, not of two/);
});

test("of two stores that claim a directory together one gets it", async () => {
  const claims = await Promise.allSettled(["one", "two", "three"].map((storeId) => openFileBlobs({ dir, storeId })));
  expect(claims.filter((claim) => claim.status === "fulfilled")).toHaveLength(1);
  expect(readdirSync(dir).sort()).toEqual(["data", "store-id", "tmp"]);
});

test("a put of bytes that are there already makes them young again, so that no sweep takes them", async () => {
  const blobs = await openFileBlobs({ dir, storeId: "one" });
  const { sha256 } = await put("same");
  const path = join(dir, "data", TEAM, sha256);
  utimesSync(path, 1, 1);
  await put("same");
  expect(statSync(path).mtimeMs).toBeGreaterThan(1_600_000_000_000);
  expect(await blobs.sweep(nothingNamed, 3_600_000)).toEqual({ blobs: 0, bytes: 0 });

  function put(text: string) {
    return blobs.put(
      TEAM,
      (async function* () {
        yield Buffer.from(text);
      })(),
      { bytesMax: 100 },
    );
  }
});

test("leaves a blob that is put again after a sweep has looked at it", async () => {
  const blobs = await openFileBlobs({ dir, storeId: "one" });
  const putOne = () => blobs.put(TEAM, Readable.from([Buffer.from("same")]), { bytesMax: 100 });
  const { sha256 } = await putOne();
  utimesSync(join(dir, "data", TEAM, sha256), 1, 1);
  const findNamed = async () => {
    await putOne();
    return new Set<string>();
  };
  expect(await blobs.sweep(findNamed, 3_600_000)).toEqual({ blobs: 0, bytes: 0 });
  expect(await blobs.has(TEAM, sha256)).toBe(true);
});

test("gives a blob its name only once its bytes are on the disk, and returns only once the name is", async () => {
  const blobs = await openFileBlobs({ dir, storeId: "one" });
  const synced: string[] = [];
  const file = await open(join(dir, "store-id"));
  const prototype: Pick<FileHandle, "datasync" | "sync"> = Object.getPrototypeOf(file);
  await file.close();
  const named = () => (existsSync(join(dir, "data", TEAM)) ? readdirSync(join(dir, "data", TEAM)).length : 0);
  const datasync = vi.spyOn(prototype, "datasync").mockImplementation(async function (this: FileHandle) {
    synced.push(`${(await this.stat()).size} bytes, ${named()} named`);
  });
  const sync = vi.spyOn(prototype, "sync").mockImplementation(async () => void synced.push(`folder, ${named()} named`));
  try {
    await blobs.put(TEAM, Readable.from([Buffer.from("abc")]), { bytesMax: 100 });
  } finally {
    datasync.mockRestore();
    sync.mockRestore();
  }
  expect(synced).toEqual(["folder, 0 named", "3 bytes, 0 named", "folder, 1 named"]);
});

test("what a killed process left unfinished is swept once it is old", async () => {
  const blobs = await openFileBlobs({ dir, storeId: "one" });
  await expect(
    blobs.put(
      TEAM,
      (async function* () {
        for (const name of readdirSync(join(dir, "tmp"))) utimesSync(join(dir, "tmp", name), 1, 1);
        expect(readdirSync(join(dir, "tmp"))).toHaveLength(1);
        await blobs.sweep(nothingNamed, 3_600_000);
        yield Buffer.from("a");
      })(),
      { bytesMax: 100 },
    ),
  ).rejects.toThrow(/ENOENT/);
  expect(readdirSync(join(dir, "tmp"))).toHaveLength(0);
});

describe("once the directory of all blobs", () => {
  const data = () => join(dir, "data");

  test.each([
    ["is removed", () => undefined],
    ["is a plain file", () => writeFileSync(data(), "")],
  ])("%s, is unavailable and calls no blob missing, until it is back", async (_, replace) => {
    const blobs = await openFileBlobs({ dir, storeId: "one" });
    const putOne = () => blobs.put(TEAM, Readable.from([Buffer.from("one")]), { bytesMax: 100 });
    const { sha256 } = await putOne();
    rmSync(data(), { recursive: true });
    replace();
    const putOther = () => blobs.put("1".repeat(32), Readable.from([Buffer.from("one")]), { bytesMax: 100 });
    for (const tried of [
      putOther,
      () => blobs.probe(),
      () => blobs.open(TEAM, sha256),
      () => blobs.has(TEAM, sha256),
      () => blobs.renew(TEAM, sha256),
      putOne,
      putOne,
    ]) {
      await expect(tried()).rejects.toThrow(BlobsUnavailableError);
    }

    rmSync(data(), { force: true });
    mkdirSync(data());
    await blobs.probe();
    expect(await blobs.has(TEAM, sha256)).toBe(false);
    expect(await putOne()).toEqual({ sha256, bytes: 3 });
  });
});
