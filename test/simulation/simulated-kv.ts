/** A coordinator's way to the store over the simulated network, with what can go wrong on it. */
import {
  type Kv,
  type Lease,
  OutcomeUnknownError,
  StoreUnavailableError,
  type Txn,
  type TxnOutcome,
  type WatchListener,
} from "@elastic/coordinator/store/kv.ts";
import type { Network } from "./network.ts";
import { SimulatedLease } from "./simulated-lease.ts";
import { SimulatedWatch } from "./simulated-watch.ts";
import type { StoreMachine } from "./store-machine.ts";
import type { Process } from "./world.ts";

const ANSWER_WITHIN_MS = 3_000;

/** What becomes of a transaction whose response is lost. */
export type Loss = "not applied" | "applied" | "applied later";

/** Of one coordinator, over its restarts. */
export class StoreFaults {
  /** Taken from the front, one a commit. */
  readonly losses: Loss[] = [];
  awayUntilMs = 0;
  watchesStallUntilMs = 0;
  readonly watches = new Set<SimulatedWatch>();
  readonly leases = new Set<SimulatedLease>();

  heal(): void {
    this.losses.length = 0;
    this.awayUntilMs = 0;
    this.watchesStallUntilMs = 0;
  }
}

/** And not what a process publishes of itself. */
function isCommit({ compares }: Txn): boolean {
  return compares.length > 0;
}

export interface KvOptions {
  readonly process: Process;
  readonly store: StoreMachine;
  readonly network: Network;
  readonly faults: StoreFaults;
}

export class SimulatedKv implements Kv {
  readonly #options: KvOptions;

  constructor(options: KvOptions) {
    this.#options = options;
  }

  read(keys: readonly string[], at?: number) {
    const { memory } = this.#options.store;
    return this.#call("read", () => {
      memory.expireLeases();
      return { revision: memory.revision, entries: keys.map((key) => memory.read(key, at)) };
    });
  }

  range(prefix: string, page: { readonly afterKey?: string; readonly limit: number; readonly at?: number }) {
    const { memory } = this.#options.store;
    return this.#call("range", () => {
      memory.expireLeases();
      return memory.range(prefix, page);
    });
  }

  async txn(txn: Txn): Promise<TxnOutcome> {
    const { store, process, faults } = this.#options;
    const loss = isCommit(txn) ? faults.losses.shift() : undefined;
    if (loss === undefined) return await this.#call("txn", () => store.apply(process, txn), { writes: true });
    const { world } = process;
    const apply = () => {
      try {
        store.apply(process, txn);
      } catch {
        // Nobody receives why it was refused.
      }
    };
    if (loss === "applied") world.in(store.process, 2, "lost", apply);
    if (loss === "applied later") world.in(store.process, 2 + world.random.next() * 2_000, "lost", apply);
    await this.#pass(ANSWER_WITHIN_MS);
    throw new OutcomeUnknownError(`the response was lost: ${loss}`);
  }

  watch(prefix: string, fromRevision: number, listener: WatchListener, signal: AbortSignal): void {
    if (signal.aborted) return;
    const watch = new SimulatedWatch({ ...this.#options, prefix, fromRevision, listener });
    signal.addEventListener("abort", () => watch.stop(), { once: true });
  }

  async lease(ttlMs: number): Promise<Lease> {
    const sentAtMs = performance.now();
    const { memory } = this.#options.store;
    const id = await this.#call("lease", () => memory.grantLease(ttlMs));
    const call = (label: string, act: () => boolean) => this.#call(label, act);
    return new SimulatedLease({ ...this.#options, id, ttlMs, sentAtMs, call });
  }

  async close(): Promise<void> {
    for (const watch of [...this.#options.faults.watches]) watch.stop();
  }

  /** Rejects with OutcomeUnknownError where it writes and the response does not come. */
  #call<T>(label: string, act: () => T, { writes = false } = {}): Promise<T> {
    const { process, store, network, faults } = this.#options;
    const { world } = process;
    return new Promise<T>((resolve, reject) => {
      if (faults.awayUntilMs > world.nowMs) {
        world.in(process, 2, "away", () => reject(new StoreUnavailableError("the store is away")));
        return;
      }
      const late = world.in(process, ANSWER_WITHIN_MS, "late", () => {
        const error = writes ? OutcomeUnknownError : StoreUnavailableError;
        reject(new error("the store did not respond in time"));
      });
      const answer = (settle: () => void) => {
        const atMs = Math.max(world.nowMs, network.blockedUntilMs(store.process.host, process.host));
        world.at(process, atMs + network.latencyMs(store.process.host, process.host), "answer", () => {
          late.isCancelled = true;
          settle();
        });
      };
      const sentAtMs = Math.max(world.nowMs, network.blockedUntilMs(process.host, store.process.host));
      world.at(store.process, sentAtMs + network.latencyMs(process.host, store.process.host), label, () => {
        // Its connection was reset, and with it what was waiting to be sent.
        if (!process.isAlive && sentAtMs > world.nowMs - 1) return;
        try {
          const value = act();
          answer(() => resolve(value));
        } catch (error) {
          answer(() => reject(error));
        }
      });
    });
  }

  #pass(ms: number): Promise<void> {
    const { process } = this.#options;
    return new Promise((resolve) => {
      process.world.in(process, ms, "lost", resolve);
    });
  }
}
