import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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
