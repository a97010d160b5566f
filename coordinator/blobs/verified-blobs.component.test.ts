import { randomBytes } from "node:crypto";
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BlobCorruptError, type BlobStore, type OpenFrom } from "./blob-store.ts";
import { openFileBlobs } from "./file-blobs.ts";
import { VERIFIED_FIRST_BYTES_MAX, verifiedBlobs } from "./verified-blobs.ts";

const TEAM = "0".repeat(31).concat("a");
const SIZES = [1, 4_097, VERIFIED_FIRST_BYTES_MAX, VERIFIED_FIRST_BYTES_MAX + 1, 3 * VERIFIED_FIRST_BYTES_MAX + 5];

const folder = makeWorkFolder();
const dir = join(folder.path, "blobs");
const found: BlobCorruptError[] = [];
let blobs: BlobStore;
beforeAll(async () => {
  blobs = verifiedBlobs(await openFileBlobs({ dir, storeId: "s" }), (error) => found.push(error));
});
beforeEach(() => found.splice(0));
afterAll(() => folder[Symbol.dispose]());

async function put(bytes: Buffer) {
  const source = async function* () {
    yield bytes;
  };
  const { sha256 } = await blobs.put(TEAM, source(), { bytesMax: bytes.length });
  return { sha256, path: join(dir, "data", TEAM, sha256) };
}

/** How many bytes came before the read ended, and its error. */
async function readAll(sha256: string, from: OpenFrom = {}) {
  let bytes = 0;
  try {
    const blob = await blobs.open(TEAM, sha256, from);
    for await (const chunk of blob?.stream ?? []) bytes += (chunk as Buffer).length;
    return { bytes, error: null };
  } catch (error) {
    return { bytes, error };
  }
}

test("hands out what was put, from any offset", async () => {
  for (const size of SIZES) {
    const bytes = randomBytes(size);
    const { sha256 } = await put(bytes);
    for (const offset of [0, 1, Math.floor(size / 2), size - 1, size, size + 9]) {
      const blob = await blobs.open(TEAM, sha256, { offset });
      expect(blob?.bytes).toBe(size);
      expect((await buffer(blob?.stream ?? Readable.from([]))).equals(bytes.subarray(Math.min(offset, size)))).toBe(
        true,
      );
    }
  }
  expect(found).toEqual([]);
  expect(await blobs.open(TEAM, "0".repeat(64))).toBeNull();
});

function flipBit(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

const DAMAGES: Readonly<Record<string, (path: string, at: number) => void>> = {
  "a flipped bit": flipBit,
  "a cut": (path, at) => truncateSync(path, at),
  "a flipped bit and appended bytes": (path, at) => {
    flipBit(path, at);
    appendFileSync(path, Buffer.alloc(at + 1));
  },
};

test.each(Object.entries(DAMAGES))(
  "hands out no blob with %s as complete, and says so once a read",
  async (_, damage) => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...SIZES), fc.nat(), fc.nat(), async (size, at, from) => {
        found.splice(0);
        const { sha256, path } = await put(randomBytes(size));
        damage(path, at % size);
        const offset = from % size;
        const { bytes, error } = await readAll(sha256, { offset, bytes: size });
        expect(error).toBeInstanceOf(BlobCorruptError);
        expect(bytes).toBeLessThan(size - offset);
        if (size < VERIFIED_FIRST_BYTES_MAX) expect(bytes).toBe(0);
        expect(found).toEqual([error]);
      }),
      { numRuns: 25 },
    );
  },
);

test.each(SIZES)("cuts appended bytes off a blob of %i bytes, and reports them", async (size) => {
  const bytes = randomBytes(size);
  const { sha256, path } = await put(bytes);
  appendFileSync(path, randomBytes(2 * VERIFIED_FIRST_BYTES_MAX));
  const blob = await blobs.open(TEAM, sha256, { bytes: size });
  expect((await buffer(blob?.stream ?? Readable.from([]))).equals(bytes)).toBe(true);
  expect(found).toHaveLength(1);
  // Who does not know how much was put gets none of it as complete.
  expect((await readAll(sha256)).error).toBeInstanceOf(BlobCorruptError);
});

test("hands out a damaged blob again once the same bytes were put again", async () => {
  const bytes = randomBytes(9_000);
  const { sha256, path } = await put(bytes);
  truncateSync(path, 5);
  expect((await readAll(sha256)).error).toBeInstanceOf(BlobCorruptError);
  await put(bytes);
  expect(await readAll(sha256)).toEqual({ bytes: 9_000, error: null });
});
