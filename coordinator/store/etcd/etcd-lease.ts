/**
 * A lease renewed on etcd's keep-alive stream. How long it surely lives is counted here, from the sending of the
 * last acknowledged renewal on the monotonic clock.
 */
import {
  type LeaseKeepAliveRequest,
  type LeaseKeepAliveResponse,
  LeaseService,
} from "@elastic/proto/gen/etcd/lease.ts";
import type { Logger } from "@elastic/std/log.ts";
import { status } from "@grpc/grpc-js";
import type { Lease } from "../kv.ts";
import { readError } from "./etcd-errors.ts";
import { headerOf } from "./etcd-messages.ts";
import type { EtcdStreams, MemberStream } from "./etcd-streams.ts";
import type { HeaderSink } from "./header-sink.ts";
import type { RepeatedCalls } from "./repeated-calls.ts";
import { GrpcStatusError } from "./unary-channel.ts";

/** After this many renewals without a response the stream is abandoned, and opened again to the next member. */
const UNANSWERED_MAX = 2;

type KeepAliveStream = MemberStream<LeaseKeepAliveRequest, LeaseKeepAliveResponse>;

export interface LeaseContext {
  readonly calls: RepeatedCalls;
  readonly streams: EtcdStreams;
  readonly headers: HeaderSink;
  readonly log: Logger;
}

interface Grant {
  readonly ttlMs: number;
  readonly sentAtMs: number;
}

export async function grantLease(context: LeaseContext, ttlMs: number): Promise<EtcdLease> {
  const { calls, headers } = context;
  const sentAtMs = performance.now();
  const since = headers.revision();
  try {
    // One that is granted twice expires, since nobody renews it.
    const granted = await calls.call(LeaseService.leaseGrant, { ttl: BigInt(Math.ceil(ttlMs / 1000)) });
    headers.received(headerOf(granted), since);
    return new EtcdLease(context, granted.id, { ttlMs, sentAtMs });
  } catch (error) {
    throw readError(error);
  }
}

export class EtcdLease implements Lease {
  readonly id: string;
  readonly #calls: RepeatedCalls;
  readonly #streams: EtcdStreams;
  readonly #number: bigint;
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

  constructor({ calls, streams, headers, log }: LeaseContext, id: bigint, { ttlMs, sentAtMs }: Grant) {
    this.id = String(id);
    this.#number = id;
    this.#calls = calls;
    this.#streams = streams;
    this.#headers = headers;
    this.#ttlMs = ttlMs;
    this.#log = log;
    this.#aliveUntilMs = sentAtMs + ttlMs;
    this.#timer = setInterval(() => this.#renew(), ttlMs / 3).unref();
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
    await this.#calls.call(LeaseService.leaseRevoke, { id: this.#number }).catch((error: unknown) => {
      // It has expired, or was revoked by a request whose response was lost.
      if (!isNotFound(error)) throw readError(error);
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

  #renew(): void {
    if (this.#sent.length >= UNANSWERED_MAX) this.#stream?.leave();
    if (this.#stream?.isLeft()) this.#dropStream();
    this.#stream ??= this.#openStream();
    this.#sent.push({ atMs: performance.now(), revision: this.#headers.revision() });
    this.#stream.stream.write({ id: this.#number });
  }

  #openStream(): KeepAliveStream {
    const opened = this.#streams.open(LeaseService.leaseKeepAlive);
    opened.stream.on("data", (response: LeaseKeepAliveResponse) => {
      if (this.#stream === opened) this.#acknowledged(response);
    });
    const ended = () => {
      if (this.#stream === opened) this.#dropStream();
    };
    opened.stream.on("error", ended);
    opened.stream.on("end", ended);
    return opened;
  }

  #acknowledged(response: LeaseKeepAliveResponse): void {
    const sent = this.#sent.shift();
    this.#headers.received(headerOf(response), sent?.revision ?? 0);
    if (this.#lost) return;
    if (response.ttl <= 0n) {
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
    stream?.stream.cancel();
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof GrpcStatusError && error.code === status.NOT_FOUND;
}
