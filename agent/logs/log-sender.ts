/**
 * Sends logs to a coordinator, pieces of many of them in one message, and keeps what is not acknowledged. A stream is
 * opened when there is something to send and ended when all of it is acknowledged; one that breaks costs nothing but
 * time, since the next begins where the acknowledgements ended. Never more than a window is under way, so that logs
 * leave room for inputs and results on their channel.
 */
import type {
  AppendLogsRequest,
  AppendLogsResponse,
  LogAck,
  LogChunk,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { ClientDuplexStream } from "@grpc/grpc-js";
import { backoffMs } from "../link/backoff.ts";
import type { OutgoingLog } from "./outgoing-log.ts";

export type AppendStream = ClientDuplexStream<AppendLogsRequest, AppendLogsResponse>;

export interface LogSenderOptions {
  /** Null while no coordinator answers. */
  readonly open: () => AppendStream | null;
  /** All of it is acknowledged, or no more of it is taken. */
  readonly onDone: (log: OutgoingLog, taken: boolean) => void;
  readonly onSent: (bytes: number) => void;
  readonly random: () => number;
}

/** What is written little by little is sent that often. */
const SEND_EVERY_MS = 250;
const PIECE_BYTES_MAX = 64 * 1024;
const MESSAGE_BYTES_MAX = 256 * 1024;
const MESSAGE_PIECES_MAX = 500;
const WINDOW_BYTES_MAX = 1024 * 1024;
const WINDOW_PIECES_MAX = 4_000;
const BACKOFF = { firstMs: 500, longestMs: 5_000 };

interface SentPiece {
  readonly log: OutgoingLog;
  readonly offset: number;
  readonly end: number;
  readonly last: boolean;
}

export class LogSender {
  readonly #options: LogSenderOptions;
  /** Those with something to send. */
  readonly #pending = new Set<OutgoingLog>();
  #stream: AppendStream | null = null;
  #unanswered: SentPiece[] = [];
  #unansweredBytes = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | null = null;
  #pumping = false;
  #stopped = false;

  constructor(options: LogSenderOptions) {
    this.#options = options;
  }

  /** What an earlier process left, to be sent once a coordinator answers. */
  add(log: OutgoingLog): void {
    this.#pending.add(log);
  }

  /** The log has grown or ended. */
  wake(log: OutgoingLog): void {
    this.#pending.add(log);
    if (this.#failures === 0 && log.unsentBytes >= PIECE_BYTES_MAX) this.#pumpSoon(0);
    else this.#pumpSoon(SEND_EVERY_MS);
  }

  /** A coordinator answers again. */
  onLinked(): void {
    this.#failures = 0;
    if (this.#pending.size > 0) this.#pumpSoon(0);
  }

  forget(log: OutgoingLog): void {
    this.#pending.delete(log);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#drop();
  }

  #pumpSoon(delayMs: number): void {
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

  async #pump(): Promise<void> {
    if (this.#pumping || this.#stopped) return;
    this.#pumping = true;
    try {
      while (this.#pending.size > 0 && this.#hasRoom()) {
        const stream = this.#stream ?? this.#openStream();
        if (stream === null) return;
        const pieces = await this.#gather();
        // It broke meanwhile: what was gathered is gathered again.
        if (this.#stream !== stream) continue;
        if (pieces.length === 0) return;
        this.#send(stream, pieces);
      }
    } finally {
      this.#pumping = false;
    }
  }

  #hasRoom(): boolean {
    return this.#unansweredBytes < WINDOW_BYTES_MAX && this.#unanswered.length < WINDOW_PIECES_MAX;
  }

  async #gather(): Promise<readonly (SentPiece & { readonly data: Buffer })[]> {
    const pieces: (SentPiece & { readonly data: Buffer })[] = [];
    let bytes = 0;
    for (const log of [...this.#pending]) {
      if (bytes >= MESSAGE_BYTES_MAX || pieces.length >= MESSAGE_PIECES_MAX) break;
      if (!log.hasUnsent) {
        this.#pending.delete(log);
        continue;
      }
      const offset = log.sent;
      const data = await log.held.read(offset, PIECE_BYTES_MAX).catch(() => null);
      if (data === null || (data.length === 0 && offset < log.held.end)) {
        // What cannot be read any more cannot be sent either.
        this.#options.onDone(log, false);
        continue;
      }
      const end = offset + data.length;
      pieces.push({ log, offset, end, data, last: log.ended && end === log.held.end });
      bytes += data.length;
    }
    return pieces;
  }

  #send(stream: AppendStream, pieces: readonly (SentPiece & { readonly data: Buffer })[]): void {
    const chunks: LogChunk[] = [];
    for (const piece of pieces) {
      const { log, offset, end, data, last } = piece;
      chunks.push({ attempt: log.ref, offset: BigInt(offset), data, last });
      log.sent = end;
      log.lastSent ||= last;
      // To the end of the line, for the others' sake.
      this.#pending.delete(log);
      if (log.hasUnsent) this.#pending.add(log);
      this.#unanswered.push({ log, offset, end, last });
      this.#unansweredBytes += data.length;
    }
    stream.write({ chunks });
  }

  #openStream(): AppendStream | null {
    const stream = this.#options.open();
    if (stream === null) {
      this.#failures += 1;
      this.#pumpSoon(backoffMs(BACKOFF, this.#failures, this.#options.random()));
      return null;
    }
    this.#stream = stream;
    stream.on("data", ({ acks }: AppendLogsResponse) => {
      if (this.#stream === stream) for (const ack of acks) this.#answered(ack);
      if (this.#stream === stream) this.#next(stream);
    });
    const broken = (): void => {
      if (this.#stream === stream) this.#broken();
    };
    stream.on("error", broken);
    stream.on("end", broken);
    return stream;
  }

  #answered({ keptBytes, refused }: LogAck): void {
    const piece = this.#unanswered.shift();
    if (piece === undefined) return;
    const { log, offset, end, last } = piece;
    this.#unansweredBytes -= end - offset;
    this.#failures = 0;
    const kept = Number(keptBytes);
    // Less than it acknowledged before: its disk lost some, and a log has no holes.
    if (refused || kept < offset) {
      if (!log.done) this.#options.onDone(log, false);
      return;
    }
    this.#options.onSent(end - offset);
    log.held.acknowledge(kept);
    if (last && !log.done) this.#options.onDone(log, true);
  }

  #next(stream: AppendStream): void {
    if (this.#pending.size > 0) {
      if (this.#hasRoom())
        this.#pumpSoon([...this.#pending].some((log) => log.unsentBytes >= PIECE_BYTES_MAX) ? 0 : SEND_EVERY_MS);
    } else if (this.#unanswered.length === 0) {
      this.#stream = null;
      stream.end();
    }
  }

  /** What is under way is sent again on the next stream. */
  #broken(): void {
    const again = new Set(this.#unanswered.map(({ log }) => log));
    this.#drop();
    for (const log of again) {
      if (log.done) continue;
      log.sent = log.held.acknowledged;
      log.lastSent = false;
      this.#pending.add(log);
    }
    if (this.#pending.size === 0) return;
    this.#failures += 1;
    this.#pumpSoon(backoffMs(BACKOFF, this.#failures, this.#options.random()));
  }

  #drop(): void {
    const stream = this.#stream;
    this.#stream = null;
    this.#unanswered = [];
    this.#unansweredBytes = 0;
    stream?.on("error", () => undefined);
    stream?.cancel();
  }
}
