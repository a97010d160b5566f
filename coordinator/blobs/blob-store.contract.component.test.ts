/** What every store of blobs must do. */
import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BlobStore, BlobTooLargeError } from "./blob-store.ts";
import { openFileBlobs } from "./file-blobs.ts";
import { s3Blobs } from "./s3/s3-blobs.ts";
import { type Backend, blobBackends, STORE_ID } from "./testing/blob-backends.ts";

const TEAM = "0".repeat(31).concat("a");
const OTHER_TEAM = "0".repeat(31).concat("b");
const NEVER = { bytesMax: 1 << 30 };
const NOTHING = { blobs: 0, bytes: 0 };
const nothingNamed = async () => new Set<string>();

const PLACES = blobBackends<BlobStore>({
  inFolder: (dir) => openFileBlobs({ dir, storeId: STORE_ID }),
  inBucket: s3Blobs,
});

describe.each(PLACES)("blobs in %s", (_, start) => {
  let backend: Backend<BlobStore>;
  let openBlobs: () => Promise<BlobStore>;

  beforeAll(async () => {
    backend = await start();
    openBlobs = () => backend.open();
  });
  afterAll(() => backend[Symbol.asyncDispose]());

  test("any bytes in any chunks come back as they were, from any offset", async () => {
    const blobs = await openBlobs();
    const chunks = fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(20_000), async (parts, offset) => {
        const whole = Buffer.concat(parts);
        const put = await blobs.put(TEAM, from(parts), NEVER);
        expect(put).toEqual({ sha256: createHash("sha256").update(whole).digest("hex"), bytes: whole.length });
        expect(await read(blobs, TEAM, put.sha256)).toEqual(whole);
        expect(await read(blobs, TEAM, put.sha256, offset)).toEqual(whole.subarray(Math.min(offset, whole.length)));
      }),
      { numRuns: 25 },
    );
  });

  test("what is long is read completely and from any offset, put once or twice", async () => {
    const blobs = await openBlobs();
    const whole = randomBytes(20 * 1024 * 1024 + 7);
    const chunks = Array.from({ length: 81 }, (_unused, index) => whole.subarray(index << 18, (index + 1) << 18));
    for (let time = 0; time < 2; time++) {
      const put = await blobs.put(TEAM, from(chunks), NEVER);
      expect(put).toEqual({ sha256: createHash("sha256").update(whole).digest("hex"), bytes: whole.length });
      expect((await read(blobs, TEAM, put.sha256)).equals(whole)).toBe(true);
      const offset = 9 * 1024 * 1024 + 1;
      expect((await read(blobs, TEAM, put.sha256, offset)).equals(whole.subarray(offset))).toBe(true);
    }
    expect(await blobs.sweep(nothingNamed, -1000)).toEqual({ blobs: 1, bytes: whole.length });
  });

  test("a team's bytes are not another team's", async () => {
    const blobs = await openBlobs();
    const { sha256 } = await blobs.put(TEAM, from([Buffer.from("secret")]), NEVER);
    expect(await blobs.has(TEAM, sha256)).toBe(true);
    expect(await blobs.has(OTHER_TEAM, sha256)).toBe(false);
    expect(await blobs.open(OTHER_TEAM, sha256)).toBeNull();
  });

  test("bytes up to the limit are stored, one more is rejected while they still come, and nothing remains", async () => {
    const blobs = await openBlobs();
    const exact = randomBytes(1000);
    const kept = await blobs.put(TEAM, from([exact]), { bytesMax: 1000 });
    expect(kept.bytes).toBe(1000);
    let pulls = 0;
    async function* endless() {
      for (;;) {
        pulls++;
        yield Buffer.alloc(400, pulls);
      }
    }
    await expect(blobs.put(TEAM, endless(), { bytesMax: 1000 })).rejects.toThrow(BlobTooLargeError);
    expect(pulls).toBe(3);
    expect(await blobs.sweep(async () => new Set([kept.sha256]), 0)).toEqual(NOTHING);
  });

  test("bytes of another digest than given are not stored, long or short; those of that digest are", async () => {
    const blobs = await openBlobs();
    for (const bytes of [10, 9 * 1024 * 1024]) {
      const body = randomBytes(bytes);
      const sha256 = createHash("sha256").update(body).digest("hex");
      const other = blobs.put(TEAM, from([body]), { ...NEVER, sha256: "0".repeat(64) });
      await expect(other).rejects.toMatchObject({ name: "BlobDigestError", put: { sha256, bytes } });
      expect(await blobs.has(TEAM, sha256)).toBe(false);
      expect(await blobs.put(TEAM, from([body]), { ...NEVER, sha256 })).toEqual({ sha256, bytes });
    }
  });

  test("a source that breaks leaves nothing", async () => {
    const blobs = await openBlobs();
    async function* broken() {
      yield Buffer.from("half");
      throw new Error("connection reset");
    }
    await expect(blobs.put(TEAM, broken(), NEVER)).rejects.toThrow("connection reset");
    expect(await blobs.has(TEAM, createHash("sha256").update("half").digest("hex"))).toBe(false);
  });

  test("many puts of the same and of different bytes at once are all stored", async () => {
    const blobs = await openBlobs();
    const contents = Array.from({ length: 40 }, (_, index) => Buffer.from(`content ${index % 8}`));
    const puts = await Promise.all(contents.map((content) => blobs.put(TEAM, from([content]), NEVER)));
    for (const [index, put] of puts.entries()) {
      expect(await read(blobs, TEAM, put.sha256)).toEqual(contents[index]);
    }
  });

  test("a sweep takes what no record names once it is old, and nothing else", async () => {
    const blobs = await openBlobs();
    const live = await blobs.put(TEAM, from([Buffer.from("live")]), NEVER);
    const dead = await blobs.put(TEAM, from([Buffer.from("dead")]), NEVER);
    const isLive = async (teamId: string) => new Set(teamId === TEAM ? [live.sha256] : []);
    expect(await blobs.sweep(isLive, 3_600_000)).toEqual(NOTHING);
    expect(await blobs.has(TEAM, dead.sha256)).toBe(true);
    expect(await blobs.sweep(isLive, -1000)).toEqual({ blobs: 1, bytes: 4 });
    expect(await blobs.has(TEAM, dead.sha256)).toBe(false);
    expect(await blobs.has(TEAM, live.sha256)).toBe(true);
  });

  test("what is renewed is as young as if it were put again; what is not there cannot be", async () => {
    const blobs = await openBlobs();
    const { sha256 } = await blobs.put(TEAM, from([Buffer.from("proving key")]), NEVER);
    const putAt = Date.now();
    while (Date.now() < putAt + 400) await blobs.has(TEAM, sha256);
    expect(await blobs.renew(TEAM, sha256)).toEqual({ bytes: 11 });
    // Older than half the time since it was put, had it not been renewed.
    expect(await blobs.sweep(nothingNamed, (Date.now() - putAt) / 2)).toEqual(NOTHING);
    expect(await blobs.renew(OTHER_TEAM, sha256)).toBeNull();
    expect(await blobs.renew(TEAM, "0".repeat(64))).toBeNull();
    expect(await blobs.sweep(nothingNamed, -1000)).toEqual({ blobs: 1, bytes: 11 });
    expect(await blobs.renew(TEAM, sha256)).toBeNull();
  });

  test("what does not look like an address is never looked for", async () => {
    const blobs = await openBlobs();
    await expect(blobs.open("../..", "0".repeat(64))).rejects.toThrow();
    await expect(blobs.has(TEAM, "../../../etc/passwd")).rejects.toThrow();
    await expect(blobs.put("..", from([]), NEVER)).rejects.toThrow();
  });
});

async function* from(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* chunks;
}

async function read(blobs: BlobStore, teamId: string, sha256: string, offset = 0): Promise<Buffer> {
  const opened = await blobs.open(teamId, sha256, { offset });
  if (opened === null) throw new Error("not there");
  return await buffer(opened.stream);
}
