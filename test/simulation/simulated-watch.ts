/** A watch over the simulated network: it may stall, break, and fall behind a compaction. */
import { type KvEvent, StoreUnavailableError, type WatchListener } from "@elastic/coordinator/store/kv.ts";
import { revisionOf } from "@elastic/coordinator/store/memory/memory.ts";
import { Pipe } from "./network.ts";
import type { KvOptions } from "./simulated-kv.ts";
import type { Due } from "./world.ts";

/** Rarer than of a real one, whose requests cost nothing here but steps. */
const PROGRESS_EVERY_MS = 500;
/** A watch that brings nothing for so long counts as broken. */
const SILENT_MAX_MS = 2_500;

interface WatchOptions extends KvOptions {
  readonly prefix: string;
  readonly fromRevision: number;
  readonly listener: WatchListener;
}

export class SimulatedWatch {
  readonly #options: WatchOptions;
  readonly #pipe: Pipe;
  #waiting: KvEvent[] = [];
  #unsubscribe: () => void = () => undefined;
  #ticking: Due | null = null;
  #silence: Due;
  #isOver = false;

  constructor(options: WatchOptions) {
    const { process, store, network, faults } = options;
    this.#options = options;
    this.#pipe = new Pipe(network, store.process.host, process);
    this.#silence = this.#awaitNews();
    faults.watches.add(this);
    process.onEnd(() => this.stop());
    const request = new Pipe(network, process.host, store.process);
    if (faults.awayUntilMs > process.world.nowMs) this.break();
    else request.send("watch", () => this.#start());
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unsubscribe();
    this.#silence.isCancelled = true;
    if (this.#ticking !== null) this.#ticking.isCancelled = true;
    this.#options.faults.watches.delete(this);
  }

  break(error: Error = new StoreUnavailableError("the watch broke")): void {
    if (this.#isOver) return;
    this.stop();
    const { process, listener } = this.#options;
    process.world.in(process, 1, "broken", () => listener.onBroken(error));
  }

  #start(): void {
    if (this.#isOver) return;
    const { store, fromRevision, prefix } = this.#options;
    const { memory } = store;
    try {
      this.#queue(fromRevision <= memory.revision ? memory.eventsFrom(fromRevision) : []);
    } catch (error) {
      this.#pipe.send("compacted", () => this.break(error as Error));
      return;
    }
    this.#unsubscribe = memory.onEvents((events) => {
      if (events.some((event) => keyOf(event).startsWith(prefix))) this.#queue(events);
    });
    this.#tick();
  }

  #queue(events: readonly KvEvent[]): void {
    const { prefix, fromRevision } = this.#options;
    this.#waiting.push(
      ...events.filter((event) => keyOf(event).startsWith(prefix) && revisionOf(event) >= fromRevision),
    );
    if (!this.#isStalled()) this.#flush();
  }

  #flush(): void {
    const { listener } = this.#options;
    if (this.#waiting.length === 0) return;
    const events = this.#waiting;
    this.#waiting = [];
    this.#pipe.send("events", () => {
      if (this.#isOver) return;
      this.#received();
      listener.onEvents(events);
    });
  }

  #tick(): void {
    const { store, process, listener } = this.#options;
    const { world } = process;
    this.#ticking = world.in(store.process, PROGRESS_EVERY_MS, "progress", () => {
      this.#tick();
      if (this.#isStalled()) return;
      this.#flush();
      const { revision } = store.memory;
      const sentAtMs = world.nowMs;
      this.#pipe.send("progress", () => {
        if (this.#isOver) return;
        this.#received();
        listener.onProgress(revision, world.nowMs - sentAtMs);
        listener.onCurrent?.(world.nowMs - sentAtMs);
      });
    });
  }

  #isStalled(): boolean {
    const { faults, process } = this.#options;
    return faults.watchesStallUntilMs > process.world.nowMs;
  }

  #received(): void {
    this.#silence.isCancelled = true;
    this.#silence = this.#awaitNews();
  }

  #awaitNews(): Due {
    const { process } = this.#options;
    return process.world.in(process, SILENT_MAX_MS, "silent", () => this.break());
  }
}

function keyOf(event: KvEvent): string {
  return event.kind === "put" ? event.entry.key : event.key;
}
