/** What a node keeps on its disks for later and can do without. */

export interface Evictable {
  /** As the log names it. */
  readonly name: string;
  readonly usedAtMs: number;
  /** Rejects where it is in use after all. */
  evict(): Promise<void>;
}

export interface EvictableStore {
  /** On whose file system its things are; null where it has none now. */
  folder(): string | null;
  /** Nothing that is assigned to this node, and nothing before it is known what is. */
  evictable(): Promise<readonly Evictable[]>;
}
