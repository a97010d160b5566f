/** What has to go from the cache so that something fits. Decides and does nothing. */

export interface CachedFile {
  readonly sha256: string;
  readonly bytes: number;
}

export interface CachedTree {
  /** Digest of the volume's list. */
  readonly id: string;
  readonly usedAtMs: number;
  readonly sha256s: readonly string[];
}

export interface CacheContent {
  readonly files: readonly CachedFile[];
  /** Begun and not continued. */
  readonly partials: readonly CachedFile[];
  readonly trees: readonly CachedTree[];
}

export interface Protected {
  /** Volumes that a workload has, or shall have. */
  readonly trees: ReadonlySet<string>;
  /** Files that are needed for a volume that is being put together. */
  readonly files: ReadonlySet<string>;
}

export interface Eviction {
  readonly partials: readonly string[];
  readonly trees: readonly string[];
  readonly files: readonly string[];
}

/** Null when not enough can go. What is of no volume goes first, then the volumes whose last use is the longest ago. */
export function makeRoom(content: CacheContent, needed: Protected, bytesMax: number): Eviction | null {
  let bytes = sum(content.files) + sum(content.partials);
  const partials: string[] = [];
  for (const partial of content.partials) {
    if (bytes <= bytesMax) break;
    if (needed.files.has(partial.sha256)) continue;
    partials.push(partial.sha256);
    bytes -= partial.bytes;
  }
  const trees: string[] = [];
  const free = content.trees.filter(({ id }) => !needed.trees.has(id)).toSorted((a, b) => a.usedAtMs - b.usedAtMs);
  let files = bytes <= bytesMax ? [] : unused(content, needed, trees);
  while (bytes - sum(files) > bytesMax) {
    const oldest = free.shift();
    if (oldest === undefined) return null;
    trees.push(oldest.id);
    files = unused(content, needed, trees);
  }
  return { partials, trees, files: files.map(({ sha256 }) => sha256) };
}

/** Files that no volume has once these are gone. */
function unused(content: CacheContent, needed: Protected, gone: readonly string[]): readonly CachedFile[] {
  const used = new Set(content.trees.filter(({ id }) => !gone.includes(id)).flatMap(({ sha256s }) => sha256s));
  return content.files.filter(({ sha256 }) => !used.has(sha256) && !needed.files.has(sha256));
}

function sum(files: readonly CachedFile[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}
