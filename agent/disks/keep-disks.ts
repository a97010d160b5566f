/**
 * Keeps the disks of this node between two watermarks: evicts what was used the longest ago, whatever kind it is of, and
 * reports pressure where that does not suffice.
 */
import type { Logger } from "@elastic/std/log.ts";
import { startLoop } from "@elastic/std/loop.ts";
import type { Evictable, EvictableStore } from "../domain/evictable.ts";
import { type DiskUsage, readDiskUsage } from "./disk-usage.ts";
import { isAbove, pressureText, type Watermarks } from "./watermarks.ts";

export interface DiskKeeper {
  /** Why this node takes no new workloads, in a sentence; null while its disks have room. */
  pressure(): string | null;
  stop(): Promise<void>;
}

export interface DiskKeeperOptions {
  /** What this node writes to. Those on one file system count once. */
  readonly folders: () => readonly string[];
  readonly stores: readonly EvictableStore[];
  readonly marks: Watermarks;
  /** The pressure began or ended. */
  readonly onChange: () => void;
  readonly log: Logger;
  readonly readUsage?: (folder: string) => Promise<DiskUsage | null>;
  readonly everyMs?: number;
}

const LOOK_EVERY_MS = 10_000;

/** Resolves after the first look. */
export async function keepDisks(options: DiskKeeperOptions): Promise<DiskKeeper> {
  const keeper = new Keeper(options);
  const failed = (error: unknown) => options.log.error({ err: error }, "the disks of this node cannot be read");
  await keeper.look(new AbortController().signal).catch(failed);
  const loop = startLoop({
    everyMs: options.everyMs ?? LOOK_EVERY_MS,
    turn: (signal) => keeper.look(signal),
    onOutcome: (outcome) => {
      if (outcome.kind === "failed") failed(outcome.error);
    },
  });
  return { pressure: () => keeper.pressure(), stop: () => loop.stop() };
}

class Keeper {
  readonly #options: DiskKeeperOptions;
  readonly #readUsage: NonNullable<DiskKeeperOptions["readUsage"]>;
  /** Why, by file system. */
  #pressures: ReadonlyMap<number, string> = new Map();

  constructor(options: DiskKeeperOptions) {
    this.#options = options;
    this.#readUsage = options.readUsage ?? readDiskUsage;
  }

  pressure(): string | null {
    return [...this.#pressures.values()].join("; ") || null;
  }

  async look(signal: AbortSignal): Promise<void> {
    const { folders, marks, onChange, log } = this.#options;
    const before = this.pressure();
    const pressures = new Map<number, string>();
    const seen = new Set<number>();
    for (const folder of folders()) {
      const usage = await this.#readUsage(folder);
      if (usage === null || seen.has(usage.device)) continue;
      seen.add(usage.device);
      const known = this.#pressures.get(usage.device);
      if (!isAbove(marks, usage.usedPercent, known !== undefined)) continue;
      const usedPercent = await this.#evict(folder, usage, signal);
      if (isAbove(marks, usedPercent, known !== undefined))
        pressures.set(usage.device, known ?? pressureText(marks, folder, usedPercent));
    }
    this.#pressures = pressures;
    const now = this.pressure();
    if (now === before) return;
    if (now === null) log.info("the disks of this node have room again");
    else log.error({ pressure: now }, "this node takes no new workloads");
    onChange();
  }

  /** Returns how full it is then. */
  async #evict(folder: string, { device, usedPercent: before }: DiskUsage, signal: AbortSignal): Promise<number> {
    const { marks, log } = this.#options;
    // Each once in a turn: what an eviction did not remove is not tried for ever.
    const tried = new Set<string>();
    let usedPercent = before;
    while (usedPercent > marks.lowPercent && !signal.aborted) {
      const oldest = await this.#oldestOn(device, tried);
      if (oldest === null) break;
      tried.add(oldest.name);
      await oldest.evict().then(
        () => log.info({ evicted: oldest.name, usedAt: new Date(oldest.usedAtMs) }, "evicted to make room"),
        (error: unknown) => log.warn({ err: error, name: oldest.name }, "could not be evicted"),
      );
      usedPercent = (await this.#readUsage(folder))?.usedPercent ?? usedPercent;
    }
    return usedPercent;
  }

  async #oldestOn(device: number, tried: ReadonlySet<string>): Promise<Evictable | null> {
    let oldest: Evictable | null = null;
    for (const store of this.#options.stores) {
      const folder = store.folder();
      if (folder === null || (await this.#readUsage(folder))?.device !== device) continue;
      for (const each of await store.evictable()) {
        if (!tried.has(each.name) && (oldest === null || each.usedAtMs < oldest.usedAtMs)) oldest = each;
      }
    }
    return oldest;
  }
}
