/**
 * One response that stays open and sends events as they occur (server-sent events). Comments in between keep proxies
 * from closing a silent connection. A client that does not read is cut: it reconnects and names the last event that it saw.
 */
import { Readable } from "node:stream";
import { eventText, type ServerEvent } from "../../public/server-event.ts";

const BEAT_MS = 15_000;
/** How soon a client comes back when the stream ended without it. */
const COME_BACK_MS = 1_000;
const UNREAD_BYTES_MAX = 256 * 1024;

export interface EventStreamOptions {
  /** Whether the client may still receive events; checked before each event and from time to time. */
  readonly mayReceive: () => boolean;
  readonly onClosed: () => void;
}

export class EventStream {
  readonly body = new Readable({ read: () => undefined });
  readonly #mayReceive: () => boolean;
  readonly #beat: NodeJS.Timeout;
  #onBeat: () => void = () => undefined;
  #ended = false;

  constructor({ mayReceive, onClosed }: EventStreamOptions) {
    this.#mayReceive = mayReceive;
    this.#beat = setInterval(() => this.#keepAlive(), BEAT_MS);
    this.body.once("close", () => {
      this.end();
      onClosed();
    });
    this.#push(`retry: ${COME_BACK_MS}\n\n`);
  }

  get isOpen(): boolean {
    return !this.#ended;
  }

  /** Whether the client has read all that was sent: progress is sent only then. */
  get isCaughtUp(): boolean {
    return this.body.readableLength === 0;
  }

  /** Calls back now and then while the stream is open. */
  onBeat(look: () => void): void {
    this.#onBeat = look;
  }

  send(event: ServerEvent): void {
    if (this.#ended) return;
    if (!this.#mayReceive()) this.end();
    else this.#push(eventText(event));
  }

  /** The same for what `eventText` has made already: many streams share the bytes. */
  sendBytes(event: Buffer): void {
    if (this.#ended) return;
    if (!this.#mayReceive()) this.end();
    else this.#push(event);
  }

  /** Ends the stream of a client that may no longer read. */
  recheck(): void {
    if (!this.#ended && !this.#mayReceive()) this.end();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#beat);
    if (!this.body.destroyed) this.body.push(null);
  }

  #keepAlive(): void {
    if (!this.#mayReceive()) this.end();
    else if (this.isCaughtUp) this.#push(": beat\n\n");
    if (this.isOpen) this.#onBeat();
  }

  #push(piece: string | Buffer): void {
    this.body.push(piece);
    if (this.body.readableLength > UNREAD_BYTES_MAX) this.body.destroy();
  }
}
