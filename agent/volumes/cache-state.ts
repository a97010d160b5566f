/** What the cache of volumes holds, what of it is needed, and what is on its way. */
import type { Logger } from "@elastic/std/log.ts";
import { StartFailure } from "../domain/start-failure.ts";
import type { CacheFolder } from "./cache-folder.ts";
import { type CachedFile, type CachedTree, type Eviction, makeRoom } from "./cache-room.ts";
import { Counts } from "./counts.ts";

export class CacheState {
  /** Volumes that workloads have. */
  readonly mounted = new Counts();
  /** Files that volumes in the making need. */
  readonly needed = new Counts();
  /** Volumes that workloads shall have; null before that is known. */
  wanted: ReadonlySet<string> | null = null;
  readonly trees: Map<string, CachedTree>;
  readonly #folder: CacheFolder;
  readonly #bytesMax: number;
  readonly #log: Logger;
  readonly #files: Map<string, number>;
  readonly #partials: Map<string, number>;
  /** Of files that are on their way. */
  #inFlightBytes = 0;

  constructor(folder: CacheFolder, bytesMax: number, log: Logger) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    this.#log = log;
    this.#files = mapOf(folder.files);
    this.#partials = mapOf(folder.partials);
    this.trees = new Map(folder.trees.map((tree) => [tree.id, tree]));
  }

  /** What is on the disk. */
  bytes(): number {
    return sum([...this.#files.values(), ...this.#partials.values()]);
  }

  /** Whether it is here completely. */
  has({ sha256, bytes }: CachedFile): boolean {
    return this.#files.get(sha256) === bytes;
  }

  hasCome({ sha256, bytes }: CachedFile): void {
    this.#files.set(sha256, bytes);
  }

  hasComeInPart(sha256: string, bytes: number): void {
    if (bytes > 0) this.#partials.set(sha256, bytes);
  }

  /** Reserves room for files that are to come, and makes it where there is none. Returns how to release it in parts. */
  async reserve(files: readonly CachedFile[]): Promise<(bytes: number) => void> {
    // What has come of them counts with all of them.
    for (const { sha256 } of files) this.#partials.delete(sha256);
    const bytes = sum(files.map((file) => file.bytes));
    const eviction = this.#roomFor(this.#bytesMax - this.#inFlightBytes - bytes);
    if (eviction === null) throw noRoom(bytes, this.#bytesMax);
    this.#inFlightBytes += bytes;
    await this.#evict(eviction);
    return (given) => {
      this.#inFlightBytes -= given;
    };
  }

  /** What would go next, were there too little room. What is of no volume counts as used never. Null for nothing. */
  next(): { readonly name: string; readonly usedAtMs: number } | null {
    const next = this.#next();
    if (next === null) return null;
    const [tree] = next.trees;
    if (tree === undefined) return { name: `file ${next.partials[0] ?? next.files[0]} of no volume`, usedAtMs: 0 };
    return { name: `data volume ${tree}`, usedAtMs: this.trees.get(tree)?.usedAtMs ?? 0 };
  }

  async evictNext(): Promise<void> {
    const next = this.#next();
    if (next !== null) await this.#evict(next);
  }

  /** Nothing before it is known what workloads shall have: a container of an earlier process may have any of it. */
  #next(): Eviction | null {
    return this.wanted === null ? null : this.#roomFor(this.bytes() - 1);
  }

  #roomFor(bytesMax: number): Eviction | null {
    return makeRoom(
      { files: listOf(this.#files), partials: listOf(this.#partials), trees: [...this.trees.values()] },
      { trees: new Set([...(this.wanted ?? []), ...this.mounted.names()]), files: new Set(this.needed.names()) },
      bytesMax,
    );
  }

  async #evict({ partials, trees, files }: Eviction): Promise<void> {
    for (const id of trees) this.trees.delete(id);
    for (const sha256 of files) this.#files.delete(sha256);
    for (const sha256 of partials) this.#partials.delete(sha256);
    if (trees.length > 0) this.#log.info({ volumes: trees, files: files.length }, "volumes made room for others");
    await Promise.all([
      ...partials.map((sha256) => this.#folder.removePartial(sha256)),
      ...trees.map((id) => this.#folder.removeTree(id)),
      ...files.map((sha256) => this.#folder.removeFile(sha256)),
    ]);
  }
}

function noRoom(bytes: number, bytesMax: number): StartFailure {
  const why = bytes > bytesMax ? "are more than the" : "do not fit next to what workloads use of the";
  const message = `the ${bytes} bytes of the volume ${why} ${bytesMax} bytes that this node stores of volumes`;
  return new StartFailure("node_disk_full", message);
}

function mapOf(files: readonly CachedFile[]): Map<string, number> {
  return new Map(files.map(({ sha256, bytes }) => [sha256, bytes]));
}

function listOf(files: ReadonlyMap<string, number>): readonly CachedFile[] {
  return [...files].map(([sha256, bytes]) => ({ sha256, bytes }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
