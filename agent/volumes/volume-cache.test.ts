import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { FileUnavailableError, type OpenFile } from "./fetch-file.ts";
import { openVolumeCache, type VolumeCache, type WantedVolume } from "./volume-cache.ts";

afterAll(removeTemporaryFolders);

const MIB = 1024 * 1024;

/** What coordinators have, and what was requested of them. */
class Files {
  readonly byDigest = new Map<string, Buffer>();
  readonly requested: string[] = [];
  /** Offsets that were requested, by digest. */
  readonly offsets = new Map<string, number[]>();
  /** Breaks off after so many bytes, once for each number. */
  breaks: number[] = [];

  add(data: Buffer): string {
    const sha256 = createHash("sha256").update(data).digest("hex");
    this.byDigest.set(sha256, data);
    return sha256;
  }

  volume(files: Readonly<Record<string, string | Buffer>>): WantedVolume {
    const list = Object.entries(files).map(([path, data]) => {
      const bytes = Buffer.from(data);
      return { path, sha256: this.add(bytes), bytes: bytes.length };
    });
    const manifest = Buffer.from(JSON.stringify({ files: list }));
    return { manifestSha256: this.add(manifest), manifestBytes: manifest.length };
  }

  readonly open: OpenFile = (sha256, offset, signal) => this.#read(sha256, offset, signal);

  async *#read(sha256: string, offset: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    this.requested.push(sha256);
    this.offsets.set(sha256, [...(this.offsets.get(sha256) ?? []), offset]);
    const data = this.byDigest.get(sha256);
    if (data === undefined) throw new FileUnavailableError("no such file");
    let left = data.length > 1000 ? (this.breaks.shift() ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    for (let at = offset; at < data.length; at += 64 * 1024) {
      signal.throwIfAborted();
      if (left <= 0) throw new Error("the stream broke off");
      yield data.subarray(at, Math.min(data.length, at + 64 * 1024));
      left -= 64 * 1024;
    }
  }
}

function open(dir: string, bytesMax = 100 * MIB): Promise<VolumeCache> {
  const log = createLog({ name: "test", level: "silent" });
  return openVolumeCache({ dir, bytesMax, clock: systemClock, log });
}

function work(files: Files, signal = new AbortController().signal) {
  const reported: (readonly [number, number])[] = [];
  return {
    reported,
    open: files.open,
    onBytes: (done: number, total: number) => void reported.push([done, total]),
    signal,
  };
}

function noise(bytes: number, seed: number): Buffer {
  const data = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) data.writeUInt32LE(((at + seed) * 2654435761) >>> 0, at);
  return data;
}

test("a volume is a folder with just its files, which nobody can write and everybody can read", async () => {
  const files = new Files();
  const cache = await open(temporaryFolder());
  const volume = files.volume({ "a.key": "key", "srs/deep/k20": "twenty", "srs/k10": "ten" });
  const before = process.umask(0o077);
  const { path, fetchedBytes } = await cache.mount(volume, work(files)).finally(() => process.umask(before));
  expect(readdirSync(path, { recursive: true }).sort()).toEqual([
    "a.key",
    "srs",
    "srs/deep",
    "srs/deep/k20",
    "srs/k10",
  ]);
  expect(readFileSync(join(path, "srs/deep/k20"), "utf8")).toBe("twenty");
  expect(statSync(join(path, "a.key")).mode & 0o777).toBe(0o444);
  for (const folder of ["", "srs", "srs/deep"]) expect(statSync(join(path, folder)).mode & 0o777).toBe(0o755);
  expect(fetchedBytes).toBe(12);
});

test("what is here is not fetched again: by another workload, another volume, or the next process", async () => {
  const files = new Files();
  const dir = temporaryFolder();
  const cache = await open(dir);
  const volume = files.volume({ a: "shared", b: "only here" });
  await cache.mount(volume, work(files));
  expect((await cache.mount(volume, work(files))).fetchedBytes).toBe(0);
  expect((await cache.mount(files.volume({ x: "shared", y: "new" }), work(files))).fetchedBytes).toBe(3);
  const next = await open(dir);
  expect((await next.mount(volume, work(files))).fetchedBytes).toBe(0);
  expect(new Set(files.requested).size).toBe(files.requested.length);
});

test("workloads that start together share one fetch", async () => {
  const files = new Files();
  const cache = await open(temporaryFolder());
  const one = files.volume({ a: noise(MIB, 1), b: "one" });
  const other = files.volume({ c: noise(MIB, 1), d: "other" });
  await Promise.all([one, other, one, other].map((volume) => cache.mount(volume, work(files))));
  expect(new Set(files.requested).size).toBe(files.requested.length);
  expect(cache.bytes()).toBe(MIB + 8 + one.manifestBytes + other.manifestBytes);
});

test("reports progress, up to the last byte", async () => {
  const files = new Files();
  const cache = await open(temporaryFolder());
  const watched = work(files);
  await cache.mount(files.volume({ a: noise(MIB, 2), b: "b" }), watched);
  expect(watched.reported[0]).toEqual([0, MIB + 1]);
  expect(watched.reported.at(-1)).toEqual([MIB + 1, MIB + 1]);
});

test("resumes a stream that breaks from where it broke, also in the next process", async () => {
  const files = new Files();
  const dir = temporaryFolder();
  const data = noise(MIB, 3);
  const sha256 = files.add(data);
  const volume = files.volume({ a: data });
  files.breaks = [128 * 1024, 256 * 1024];
  await (await open(dir)).mount(volume, work(files));
  expect(files.offsets.get(sha256)).toEqual([0, 128 * 1024, 384 * 1024]);

  const again = noise(MIB, 4);
  const second = files.volume({ a: again });
  const stop = new AbortController();
  const cut = work(files, stop.signal);
  const cutting = { ...cut, onBytes: (done: number) => void (done >= 512 * 1024 && stop.abort(new Error("stopped"))) };
  await expect((await open(dir)).mount(second, cutting)).rejects.toThrow("stopped");
  const { path } = await (await open(dir)).mount(second, work(files));
  expect(files.offsets.get(files.add(again))?.at(-1)).toBeGreaterThanOrEqual(512 * 1024);
  expect(readFileSync(join(path, "a")).equals(again)).toBe(true);
});

test("fetches again what came with another digest, and never mounts it", async () => {
  const files = new Files();
  const dir = temporaryFolder();
  const data = noise(MIB, 5);
  const volume = files.volume({ a: data });
  const cache = await open(dir);
  writeFileSync(join(dir, "partial", files.add(data)), Buffer.alloc(1000, "x"));
  const { path } = await cache.mount(volume, work(files));
  expect(readFileSync(join(path, "a")).equals(data)).toBe(true);
  const lying = files.volume({ a: noise(MIB, 6) });
  files.byDigest.set(files.add(noise(MIB, 6)), noise(MIB, 7));
  await expect(cache.mount(lying, work(files))).rejects.toMatchObject({
    reason: "internal",
    message: expect.stringContaining("another digest"),
  });
});

test("a file that is not to be had fails the start, with the reason, at once", async () => {
  const files = new Files();
  const volume = files.volume({ a: "gone", b: "here" });
  files.byDigest.delete(files.add(Buffer.from("gone")));
  const cache = await open(temporaryFolder());
  await expect(cache.mount(volume, work(files))).rejects.toMatchObject({
    reason: "internal",
    message: "the volume cannot be had: no such file",
  });
});

test("a list whose paths lead elsewhere makes nothing", async () => {
  const files = new Files();
  const dir = temporaryFolder();
  const cache = await open(dir);
  const volume = files.volume({ "../../escaped": "x" });
  await expect(cache.mount(volume, work(files))).rejects.toMatchObject({ reason: "internal" });
  expect(readdirSync(dir).sort()).toEqual(["files", "partial", "trees"]);
});

test("the volume whose last use is the longest ago makes room, but never one that is mounted or wanted", async () => {
  const files = new Files();
  const dir = temporaryFolder();
  const cache = await open(dir, 3.5 * MIB);
  const [first, second, third, fourth, fifth] = [1, 2, 3, 4, 5].map((n) => files.volume({ a: noise(MIB, n * 10) }));
  if (!first || !second || !third || !fourth || !fifth) throw new Error("five volumes");
  const held = await cache.mount(first, work(files));
  (await cache.mount(second, work(files))).release();
  (await cache.mount(third, work(files))).release();
  const laid = () => readdirSync(join(dir, "trees")).sort();
  const ids = (...volumes: readonly WantedVolume[]) => volumes.map(({ manifestSha256 }) => manifestSha256).sort();

  (await cache.mount(fourth, work(files))).release();
  expect(laid()).toEqual(ids(first, third, fourth));
  cache.want(new Set(ids(third)));
  (await cache.mount(fifth, work(files))).release();
  expect(laid()).toEqual(ids(first, third, fifth));
  cache.want(new Set(ids(third, fifth)));
  await expect(cache.mount(second, work(files))).rejects.toMatchObject({ reason: "node_disk_full" });
  held.release();
  expect((await cache.mount(second, work(files))).fetchedBytes).toBe(MIB);
  expect(laid()).toEqual(ids(second, third, fifth));
  expect(cache.bytes()).toBeLessThanOrEqual(3.5 * MIB);
  expect(readdirSync(join(dir, "files"))).toHaveLength(6);
});

test("a volume larger than what the node keeps is refused before a byte of it comes", async () => {
  const files = new Files();
  const cache = await open(temporaryFolder(), MIB);
  const data = noise(2 * MIB, 8);
  await expect(cache.mount(files.volume({ a: data }), work(files))).rejects.toMatchObject({
    reason: "node_disk_full",
    message: expect.stringContaining("are more than the"),
  });
  expect(files.requested).not.toContain(files.add(data));
});

test("what a process left half done is no volume", async () => {
  const files = new Files();
  const dir = temporaryFolder();
  const volume = files.volume({ a: "a", b: "b" });
  const { path } = await (await open(dir)).mount(volume, work(files));
  expect(readdirSync(path)).toHaveLength(2);
  // As if it had ended before the last step, and its list were lost.
  renameSync(path, join(dir, "trees", `.new-${volume.manifestSha256}`));
  await open(dir);
  expect(readdirSync(join(dir, "trees"))).toEqual([]);
  await (await open(dir)).mount(volume, work(files));
  rmSync(join(dir, "files", volume.manifestSha256));
  await open(dir);
  expect(readdirSync(join(dir, "trees"))).toEqual([]);
});

test("offers nothing for eviction before it is known what is assigned, then the oldest of what is not", async () => {
  const files = new Files();
  const cache = await open(temporaryFolder());
  const [first, second, third] = ["first", "second", "third"].map((text) => files.volume({ a: text }));
  if (first === undefined || second === undefined || third === undefined) throw new Error("three were made");
  for (const volume of [first, second, third]) (await cache.mount(volume, work(files))).release();
  expect(await cache.evictable()).toEqual([]);
  cache.want(new Set([first.manifestSha256]));
  const held = await cache.mount(second, work(files));
  const [offered, ...more] = await cache.evictable();
  expect(more).toEqual([]);
  await offered?.evict();
  expect(await cache.evictable()).toEqual([]);
  held.release();
  files.requested.length = 0;
  for (const volume of [first, second, third]) await cache.mount(volume, work(files));
  expect(new Set(files.requested)).toEqual(new Set([third.manifestSha256, files.add(Buffer.from("third"))]));
});
