/**
 * A lease renewed on etcd's keep-alive stream. How long it surely lives is counted here, from the sending of the
 * last acknowledged renewal on the monotonic clock: etcd3's own `lost` event comes late, and may not come.
 */
import type { Logger } from "@elastic/std/log.ts";
import type { Etcd3, ILeaseKeepAliveResponse } from "etcd3";
import type { Lease } from "../kv.ts";
import { readError } from "./etcd-errors.ts";

/** After this many renewals without a response the stream is abandoned and opened again. */
const UNANSWERED_MAX = 2;

type KeepAliveStream = Awaited<ReturnType<Etcd3["leaseClient"]["leaseKeepAlive"]>>;

export async function grantLease(client: Etcd3, ttlMs: number, log: Logger): Promise<EtcdLease> {
  const sentAtMs = performance.now();
  try {
    const granted = await client.leaseClient.leaseGrant({ TTL: String(Math.ceil(ttlMs / 1000)), ID: "0" });
    return new EtcdLease(client, granted.ID, ttlMs, sentAtMs, log);
  } catch (error) {
    throw readError(error);
  }
}

export class EtcdLease implements Lease {
  readonly id: string;
  readonly #client: Etcd3;
  readonly #ttlMs: number;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #aliveUntilMs: number;
  #stream: KeepAliveStream | undefined;
  /** When each renewal without a response was sent. */
  #sentAtMs: number[] = [];
  #stopped = false;

  constructor(client: Etcd3, id: string, ttlMs: number, grantSentAtMs: number, log: Logger) {
    this.id = id;
    this.#client = client;
    this.#ttlMs = ttlMs;
    this.#log = log;
    this.#aliveUntilMs = grantSentAtMs + ttlMs;
    this.#timer = setInterval(() => void this.#renew(), ttlMs / 3).unref();
  }

  get hasStopped(): boolean {
    return this.#stopped;
  }

  remainingMs(): number {
    return this.#aliveUntilMs - performance.now();
  }

  async revoke(): Promise<void> {
    this.stop();
    this.#aliveUntilMs = 0;
    await this.#client.leaseClient.leaseRevoke({ ID: this.id }).catch((error: unknown) => {
      throw readError(error);
    });
  }

  /** Stops renewing; the lease expires. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#dropStream();
  }

  async #renew(): Promise<void> {
    if (this.#sentAtMs.length >= UNANSWERED_MAX) this.#dropStream();
    try {
      this.#stream ??= await this.#openStream();
      this.#sentAtMs.push(performance.now());
      this.#stream.write({ ID: this.id });
    } catch (error) {
      this.#dropStream();
      this.#log.warn({ err: error, leaseId: this.id }, "a lease could not be renewed");
    }
  }

  async #openStream(): Promise<KeepAliveStream> {
    const stream = await this.#client.leaseClient.leaseKeepAlive();
    stream.on("data", (response: ILeaseKeepAliveResponse) => this.#acknowledged(response));
    const ended = () => {
      if (this.#stream === stream) this.#dropStream();
    };
    stream.on("error", ended);
    stream.on("end", ended);
    if (this.#stopped) stream.cancel();
    return stream;
  }

  #acknowledged(response: ILeaseKeepAliveResponse): void {
    const sentAtMs = this.#sentAtMs.shift();
    if (Number(response.TTL) <= 0) {
      this.#log.warn({ leaseId: this.id }, "a lease has ended in the store");
      this.#aliveUntilMs = 0;
      this.stop();
    } else if (sentAtMs !== undefined && !this.#stopped) {
      this.#aliveUntilMs = sentAtMs + this.#ttlMs;
    }
  }

  #dropStream(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    this.#sentAtMs = [];
    stream?.cancel();
  }
}
