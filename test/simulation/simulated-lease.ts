/** A lease as etcd's client has it: alive from the sending of the last acknowledged renewal, on its process's own clock. */
import type { Lease } from "@elastic/coordinator/store/kv.ts";
import type { KvOptions } from "./simulated-kv.ts";

interface LeaseOptions extends KvOptions {
  readonly id: string;
  readonly ttlMs: number;
  readonly sentAtMs: number;
  readonly call: (label: string, act: () => boolean) => Promise<boolean>;
}

export class SimulatedLease implements Lease {
  readonly id: string;
  readonly #options: LeaseOptions;
  readonly #timer: NodeJS.Timeout;
  #aliveUntilMs: number;
  #isStopped = false;

  constructor(options: LeaseOptions) {
    this.id = options.id;
    this.#options = options;
    this.#aliveUntilMs = options.sentAtMs + options.ttlMs;
    this.#timer = setInterval(() => void this.#renew(), options.ttlMs / 3);
    options.faults.leases.add(this);
  }

  remainingMs(): number {
    return this.#aliveUntilMs - performance.now();
  }

  async revoke(): Promise<void> {
    this.#stop();
    this.#aliveUntilMs = 0;
    await this.#options.call("revoke", () => {
      this.expire();
      return true;
    });
  }

  /** The store takes it for ended. */
  expire(): void {
    this.#options.store.memory.revokeLease(this.id);
  }

  async #renew(): Promise<void> {
    const { store, ttlMs, call } = this.#options;
    const sentAtMs = performance.now();
    const isRenewed = await call("renew", () => store.memory.renewLease(this.id)).catch(() => null);
    if (this.#isStopped || isRenewed === null) return;
    if (isRenewed) this.#aliveUntilMs = Math.max(this.#aliveUntilMs, sentAtMs + ttlMs);
    else {
      this.#aliveUntilMs = 0;
      this.#stop();
    }
  }

  #stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#options.faults.leases.delete(this);
  }
}
