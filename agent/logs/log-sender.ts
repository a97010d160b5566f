/**
 * Sends logs to a coordinator, pieces of many of them in one message, and keeps what is not acknowledged. A stream is
 * opened when there is something to send and ended when all of it is acknowledged; one that breaks costs nothing but
 * time, since the next begins where the acknowledgements ended.
 */
import type { AppendLogsRequest, AppendLogsResponse, LogAck } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { ClientDuplexStream } from "@grpc/grpc-js";
import { backoffMs } from "../domain/backoff.ts";
import type { OutgoingLog } from "./outgoing-log.ts";
import { gather, PIECE_BYTES_MAX, type Piece, Unacknowledged } from "./pieces.ts";

export type AppendStream = ClientDuplexStream<AppendLogsRequest, AppendLogsResponse>;

export interface LogSenderOptions {
  /** Null while no coordinator responds. */
  readonly open: () => AppendStream | null;
  /** All of it is acknowledged, or (`taken` false) the rest of it is rejected. */
  readonly onDone: (log: OutgoingLog, taken: boolean) => void;
  readonly onSent: (bytes: number) => void;
  readonly random: () => number;
}

/** What is written little by little is sent that often. */
const SEND_EVERY_MS = 250;
const BACKOFF = { firstMs: 500, longestMs: 5_000 };

export class LogSender {
  readonly #options: LogSenderOptions;
  /** Those with something to send. */
  readonly #pending = new Set<OutgoingLog>();
  #stream: AppendStream | null = null;
  #unacknowledged = new Unacknowledged();
  #failures = 0;
  #timer: NodeJS.Timeout | null = null;
  #pumping = false;
  #stopped = false;

  constructor(options: LogSenderOptions) {
    this.#options = options;
  }

  /** What an earlier process left, to be sent once a coordinator responds. */
  add(log: OutgoingLog): void {
    this.#pending.add(log);
  }

  /** The log has grown or ended. */
  wake(log: OutgoingLog): void {
    this.#pending.add(log);
    this.#pumpIn(this.#failures === 0 && log.unsentBytes >= PIECE_BYTES_MAX ? 0 : SEND_EVERY_MS);
  }

  /** A coordinator responds again. */
  onLinked(): void {
    this.#failures = 0;
    if (this.#pending.size > 0) this.#pumpIn(0);
  }

  forget(log: OutgoingLog): void {
    this.#pending.delete(log);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#leaveStream();
  }

  /** Sooner than before if it is at once, else as was meant before. */
  #pumpIn(delayMs: number): void {
    if (this.#stopped) return;
    if (delayMs === 0 && this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#pump();
    }, delayMs);
  }

  #pumpAfterFailure(): void {
    this.#failures += 1;
    this.#pumpIn(backoffMs(BACKOFF, this.#failures, this.#options.random()));
  }

  async #pump(): Promise<void> {
    if (this.#pumping || this.#stopped) return;
    this.#pumping = true;
    try {
      while (this.#hasPending() && this.#unacknowledged.hasRoom) {
        const stream = this.#stream ?? this.#openStream();
        if (stream === null) return this.#pumpAfterFailure();
        const pieces = await gather(this.#pending, (log) => this.#options.onDone(log, false));
        // It broke meanwhile: what was gathered is gathered again, later.
        if (this.#stream !== stream) return;
        if (pieces.length > 0) this.#send(stream, pieces);
      }
    } finally {
      this.#pumping = false;
    }
  }

  #hasPending(): boolean {
    for (const log of this.#pending) if (!log.hasUnsent) this.#pending.delete(log);
    return this.#pending.size > 0;
  }

  #send(stream: AppendStream, pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      const { log, offset, data, last } = piece;
      log.sent = offset + data.length;
      log.lastSent ||= last;
      // To the end of the line, for the others' sake.
      this.#pending.delete(log);
      this.#pending.add(log);
      this.#unacknowledged.push(piece);
    }
    const chunks = pieces.map(({ log, offset, data, last }) => ({
      attempt: log.ref,
      offset: BigInt(offset),
      data,
      last,
    }));
    stream.write({ chunks });
  }

  #openStream(): AppendStream | null {
    const stream = this.#options.open();
    this.#stream = stream;
    stream?.on("data", ({ acks }: AppendLogsResponse) => {
      if (this.#stream !== stream) return;
      for (const ack of acks) this.#onAck(ack);
      this.#sendMore();
    });
    const broken = (): void => {
      if (this.#stream === stream) this.#broken();
    };
    stream?.on("error", broken);
    stream?.on("end", broken);
    return stream;
  }

  #onAck({ keptBytes, refused }: LogAck): void {
    const piece = this.#unacknowledged.shift();
    if (piece === undefined || piece.log.done) return;
    const { log, offset, bytes, last } = piece;
    const stored = Number(keptBytes);
    this.#failures = 0;
    // Less than it acknowledged before: its disk lost some, and a log has no holes.
    if (refused || stored < offset) {
      this.#options.onDone(log, false);
      return;
    }
    this.#options.onSent(bytes);
    log.held.acknowledge(stored);
    if (last) this.#options.onDone(log, true);
  }

  #sendMore(): void {
    const much = [...this.#pending].some((log) => log.unsentBytes >= PIECE_BYTES_MAX);
    if (this.#hasPending()) this.#pumpIn(much ? 0 : SEND_EVERY_MS);
    else if (this.#unacknowledged.isEmpty) {
      const stream = this.#stream;
      this.#stream = null;
      stream?.end();
    }
  }

  /** What is under way is sent again on the next stream. */
  #broken(): void {
    const again = this.#unacknowledged.logs();
    this.#leaveStream();
    for (const log of again) {
      if (log.done) continue;
      log.sent = log.held.acknowledged;
      log.lastSent = false;
      this.#pending.add(log);
    }
    if (this.#pending.size > 0) this.#pumpAfterFailure();
  }

  #leaveStream(): void {
    const stream = this.#stream;
    this.#stream = null;
    this.#unacknowledged = new Unacknowledged();
    stream?.cancel();
  }
}
