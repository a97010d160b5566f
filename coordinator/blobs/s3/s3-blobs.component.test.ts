import { createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BlobsUnavailableError, BlobTooLargeError } from "../blob-store.ts";
import { type FakeS3, startFakeS3 } from "../testing/fake-s3.ts";
import { type BucketOptions, openBucket } from "./open-bucket.ts";
import { s3Blobs } from "./s3-blobs.ts";
import { parseS3Location } from "./s3-location.ts";

const TEAM = "0".repeat(31).concat("a");
const MIB = 1024 * 1024;
const LIMIT = { bytesMax: 1 << 30 };
const HOUR_MS = 3_600_000;
const nothingNamed = async () => new Set<string>();

let s3: FakeS3;
let buckets: { close(): void }[];

beforeEach(async () => {
  s3 = await startFakeS3();
  buckets = [];
});
afterEach(async () => {
  for (const bucket of buckets) bucket.close();
  await s3[Symbol.asyncDispose]();
});

async function open(options: Partial<BucketOptions> = {}) {
  const credentials = { accessKeyId: "a", secretAccessKey: "b" };
  const location = { bucket: "blobs", prefix: "p/" };
  const place = { location, region: "us-east-1", endpoint: s3.endpoint, credentials };
  const bucket = await openBucket({ ...place, storeId: "one", ...options });
  buckets.push(bucket);
  return s3Blobs(bucket);
}

/** As if it had been written that long ago. */
function age(prefix: string, ms: number): void {
  for (const [name, object] of s3.objects) {
    if (name.startsWith(`blobs/p/${prefix}`)) s3.objects.set(name, { ...object, modifiedAtMs: Date.now() - ms });
  }
}

function keys(prefix: string): string[] {
  return [...s3.objects.keys()].filter((name) => name.startsWith(`blobs/p/${prefix}`));
}

describe("a prefix of a bucket", () => {
  test("belongs to one store: of several that claim it together one gets it", async () => {
    const claims = await Promise.allSettled(["one", "two", "three"].map((storeId) => open({ storeId })));
    expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const owner = s3.objects.get("blobs/p/store-id")?.body.toString() ?? "";
    await open({ storeId: owner });
    await expect(open({ storeId: "four" })).rejects.toThrow(
      `s3://blobs/p/ holds the blobs of store ${owner}, not of four`,
    );
    await open({ storeId: "four", location: { bucket: "blobs", prefix: "q/" } });
  });

  test("that is emptied or removed is unavailable, and no blob of it counts as missing", async () => {
    const blobs = await open();
    const { sha256 } = await blobs.put(TEAM, from(Buffer.from("one")), LIMIT);
    const kept = s3.objects.get("blobs/p/store-id");
    s3.objects.clear();
    await expect(blobs.open(TEAM, sha256)).rejects.toThrow(BlobsUnavailableError);
    if (kept !== undefined) s3.objects.set("blobs/p/store-id", kept);
    expect(await blobs.open(TEAM, sha256)).toBeNull();
  });

  test("is not taken over by a store that saw it free a moment ago", async () => {
    const isTaken = Promise.withResolvers<void>();
    let puts = 0;
    s3.before = async (request) => {
      if (request.startsWith("PUT") && ++puts === 1) await isTaken.promise;
    };
    const late = open({ storeId: "late" });
    await expect.poll(() => puts).toBe(1);
    await open({ storeId: "early" });
    isTaken.resolve();
    await expect(late).rejects.toThrow("holds the blobs of store early, not of late");
  });

  test("is read from a setting", () => {
    expect(parseS3Location("s3://my-bucket")).toEqual({ bucket: "my-bucket", prefix: "" });
    expect(parseS3Location("s3://my.bucket/a/b/")).toEqual({ bucket: "my.bucket", prefix: "a/b/" });
    for (const wrong of ["", "s3://", "s3://B", "s3://-b-", "s3://bucket/a b", "/var/lib", "https://bucket"]) {
      expect([wrong, parseS3Location(wrong)]).toEqual([wrong, null]);
    }
  });
});

describe("a put", () => {
  test("that fails leaves nothing, and says whose fault it is", async () => {
    const blobs = await open();
    async function* breaking(bytes: number) {
      for (let sent = 0; sent < bytes; sent += MIB) yield Buffer.alloc(MIB);
      throw new Error("connection reset");
    }
    await expect(blobs.put(TEAM, breaking(MIB), LIMIT)).rejects.toThrow("connection reset");
    await expect(blobs.put(TEAM, breaking(20 * MIB), LIMIT)).rejects.toThrow("connection reset");
    await expect(blobs.put(TEAM, breaking(20 * MIB), { bytesMax: 15 * MIB })).rejects.toThrow(BlobTooLargeError);
    s3.before = async (request) => {
      if (request.startsWith("PUT")) throw new Error("away");
    };
    for (const bytes of [1, 20 * MIB]) {
      await expect(blobs.put(TEAM, from(Buffer.alloc(bytes)), LIMIT)).rejects.toThrow(BlobsUnavailableError);
    }
    expect([keys("data/"), keys("tmp/"), s3.uploads.size]).toEqual([[], [], 0]);
  });

  test("that meets a passing failure is tried again", async () => {
    const blobs = await open();
    let failures = 2;
    s3.before = async () => {
      if (failures-- > 0) throw new Error("away");
    };
    const { sha256 } = await blobs.put(TEAM, from(Buffer.from("again")), LIMIT);
    expect(await blobs.has(TEAM, sha256)).toBe(true);
  });

  test("of what is too large to be copied at once is copied in parts, and is read completely", async () => {
    const blobs = await open({ copyBytesMax: 6 * MIB });
    const whole = randomBytes(20 * MIB + 3);
    const { sha256 } = await blobs.put(TEAM, from(whole), LIMIT);
    const opened = await blobs.open(TEAM, sha256);
    if (opened === null) throw new Error("not there");
    const back = await buffer(opened.stream);
    expect([opened.bytes, createHash("sha256").update(back).digest("hex")]).toEqual([whole.length, sha256]);
    expect([keys("tmp/"), s3.uploads.size]).toEqual([[], 0]);
  });
});

describe("a sweep", () => {
  test.each(["short", "long"])("does not take a %s blob that is put again while it is being removed", async (size) => {
    const [sweeper, putter] = [await open(), await open()];
    const content = size === "short" ? Buffer.from("again") : randomBytes(9 * MIB);
    const { sha256 } = await putter.put(TEAM, from(content), LIMIT);
    age("data/", 2 * HOUR_MS);
    // The sweeper has looked and is about to remove it; the other one writes it, and the removal comes after.
    const written = Promise.withResolvers<void>();
    let again: Promise<unknown> = Promise.resolve();
    s3.before = async (request) => {
      if (request.startsWith(`GET blobs?list-type=2`) && request.includes("sweeping")) written.resolve();
      if (!request.startsWith(`DELETE blobs/p/data/`)) return;
      again = putter.put(TEAM, from(content), LIMIT);
      await written.promise;
    };
    await sweeper.sweep(nothingNamed, HOUR_MS);
    await again;
    expect(await putter.has(TEAM, sha256)).toBe(true);
  });

  test("does not take what was put again, or renewed, before it announced itself", async () => {
    const [sweeper, putter] = [await open(), await open()];
    const short = await putter.put(TEAM, from(Buffer.from("short")), LIMIT);
    const long = await putter.put(TEAM, from(Buffer.alloc(9 * MIB)), LIMIT);
    const left = await putter.put(TEAM, from(Buffer.from("left")), LIMIT);
    age("data/", 2 * HOUR_MS);
    let isFirst = true;
    s3.before = async (request) => {
      if (!isFirst || !request.startsWith("PUT blobs/p/sweeping/")) return;
      isFirst = false;
      await putter.put(TEAM, from(Buffer.alloc(9 * MIB)), LIMIT);
      await putter.renew(TEAM, short.sha256);
    };
    expect(await sweeper.sweep(nothingNamed, HOUR_MS)).toEqual({ blobs: 1, bytes: 4 });
    expect(await Promise.all([short, long, left].map(({ sha256 }) => putter.has(TEAM, sha256)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("that renews meet shows them whether the blob is still there", async () => {
    const [sweeper, putter] = [await open(), await open()];
    const { sha256 } = await putter.put(TEAM, from(Buffer.from("gone")), LIMIT);
    age("data/", 2 * HOUR_MS);
    const renewing = Promise.withResolvers<unknown>();
    s3.before = async (request) => {
      if (!request.startsWith(`DELETE blobs/p/data/`)) return;
      const marked = Promise.withResolvers<void>();
      s3.before = async (next) => {
        if (next.startsWith("GET blobs?")) marked.resolve();
      };
      renewing.resolve(putter.renew(TEAM, sha256));
      await marked.promise;
    };
    await sweeper.sweep(nothingNamed, HOUR_MS);
    expect(await renewing.promise).toBeNull();
  });

  test("takes what broken puts, old marks and dead sweepers left, and leaves what is young or not a blob", async () => {
    const blobs = await open();
    const put = (key: string) => s3.objects.set(`blobs/p/${key}`, { body: Buffer.from("x"), modifiedAtMs: Date.now() });
    const sha256 = "0".repeat(64);
    for (const key of ["tmp/old", `young/${TEAM}/${sha256}`, "sweeping/old"]) put(key);
    put("data/someone-elses");
    age("", 2 * HOUR_MS);
    put("tmp/new");
    await fetch(`${s3.endpoint}/blobs/p/tmp/broken?uploads`, { method: "POST" });
    expect(await blobs.sweep(nothingNamed, HOUR_MS)).toEqual({ blobs: 0, bytes: 0 });
    expect(keys("").sort()).toEqual(["blobs/p/data/someone-elses", "blobs/p/store-id", "blobs/p/tmp/new"]);
    expect(s3.uploads.size).toBe(1);
    await blobs.sweep(nothingNamed, -2_000);
    expect([s3.uploads.size, keys("tmp/")]).toEqual([0, []]);
  });

  test("goes through more blobs than a page has, and looks up many names at once", async () => {
    const blobs = await open();
    const count = 2_300;
    for (let index = 0; index < count; index++) {
      const sha256 = createHash("sha256").update(`${index}`).digest("hex");
      s3.objects.set(`blobs/p/data/${TEAM}/${sha256}`, { body: Buffer.from("x"), modifiedAtMs: 0 });
    }
    let queries = 0;
    const allNamed = async (_teamId: string, sha256s: readonly string[]) => {
      queries++;
      return new Set(sha256s);
    };
    expect(await blobs.sweep(allNamed, HOUR_MS)).toEqual({ blobs: 0, bytes: 0 });
    expect([queries, keys("data/").length]).toEqual([3, count]);
  });
});

async function* from(content: Buffer): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += MIB) yield content.subarray(at, at + MIB);
}
