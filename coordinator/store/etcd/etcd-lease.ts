/**
 * A lease renewed on etcd's keep-alive stream. How long it surely lives is counted here, from the sending of the
 * last acknowledged renewal on the monotonic clock: etcd3's own `lost` event comes late, and may not come.
 */
import type { Logger } from "@elastic/std/log.ts";
import { type Etcd3, EtcdLeaseInvalidError, type ILeaseKeepAliveResponse } from "etcd3";
import type { Lease } from "../kv.ts";
import { readError } from "./etcd-errors.ts";
import { headerOf } from "./etcd-messages.ts";
import type { HeaderSink } from "./header-sink.ts";

/** After this many renewals without a response the stream is abandoned and opened again. */
const UNANSWERED_MAX = 2;

type KeepAliveStream = Awaited<ReturnType<Etcd3["leaseClient"]["leaseKeepAlive"]>>;

export interface LeaseContext {
  readonly client: Etcd3;
  /** For what does no harm twice. */
  readonly retrying: Etcd3;
  readonly headers: HeaderSink;
  readonly log: Logger;
}

export async function grantLease(context: LeaseContext, ttlMs: number): Promise<EtcdLease> {
  const { client, headers } = context;
  const sentAtMs = performance.now();
  const since = headers.revision();
  try {
    const granted = await client.leaseClient.leaseGrant({ TTL: String(Math.ceil(ttlMs / 1000)), ID: "0" });
    headers.received(headerOf(granted.header), since);
    return new EtcdLease(context, granted.ID, ttlMs, sentAtMs);
  } catch (error) {
    throw readError(error);
  }
}

export class EtcdLease implements Lease {
  readonly id: string;
  readonly #client: Etcd3;
  readonly #retrying: Etcd3;
  readonly #headers: HeaderSink;
  readonly #ttlMs: number;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #aliveUntilMs: number;
  #stream: KeepAliveStream | undefined;
  /** When each renewal without a response was sent, and the revision known then. */
  #sent: { readonly atMs: number; readonly revision: number }[] = [];
  #stopped = false;
  #lost = false;

  constructor({ client, retrying, headers, log }: LeaseContext, id: string, ttlMs: number, grantSentAtMs: number) {
    this.id = id;
    this.#client = client;
    this.#retrying = retrying;
    this.#headers = headers;
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
    if (this.#lost) return;
    await this.#retrying.leaseClient.leaseRevoke({ ID: this.id }).catch((error: unknown) => {
      // It has expired, or was revoked by a request whose response was lost.
      if (!(error instanceof EtcdLeaseInvalidError)) throw readError(error);
    });
  }

  /** Stops renewing; the lease expires. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#dropStream();
  }

  /** It is over at once: the store that granted it is gone, and one that took its place is left alone. */
  lose(): void {
    this.#lost = true;
    this.#aliveUntilMs = 0;
    this.stop();
  }

  async #renew(): Promise<void> {
    if (this.#sent.length >= UNANSWERED_MAX) this.#dropStream();
    try {
      this.#stream ??= await this.#openStream();
      this.#sent.push({ atMs: performance.now(), revision: this.#headers.revision() });
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
    const sent = this.#sent.shift();
    this.#headers.received(headerOf(response.header), sent?.revision ?? 0);
    if (this.#lost) return;
    if (Number(response.TTL) <= 0) {
      this.#log.warn({ leaseId: this.id }, "a lease has ended in the store");
      this.#aliveUntilMs = 0;
      this.stop();
    } else if (sent !== undefined && !this.#stopped) {
      this.#aliveUntilMs = sent.atMs + this.#ttlMs;
    }
  }

  #dropStream(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    this.#sent = [];
    stream?.cancel();
  }
}
