/** The agent's end of one tunnel: what it writes waits for whoever reads, and what it does not take waits here. */
import { once } from "node:events";
import type { TunnelRequest, TunnelResponse } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import type { ClientDuplexStream } from "@grpc/grpc-js";

export type TunnelStream = ClientDuplexStream<TunnelRequest, TunnelResponse>;
type Up = NonNullable<TunnelRequest["message"]>;
type Down = NonNullable<TunnelResponse["message"]>;

/** Of one message. */
const PIECE_BYTES_MAX = 64 * 1024;

export class TunnelCall {
  /** Aborts when the call is over: by its end, by an error, or because nobody listens any more. */
  readonly over: AbortSignal;
  readonly #stream: TunnelStream;
  readonly #over = new AbortController();

  constructor(stream: TunnelStream) {
    this.#stream = stream;
    this.over = this.#over.signal;
    for (const event of ["error", "end", "close"]) stream.on(event, () => this.#over.abort());
  }

  /** Resolves when more may be sent. */
  async send(message: Up): Promise<void> {
    if (this.over.aborted) return;
    if (!this.#stream.write({ message })) {
      await once(this.#stream, "drain", { signal: this.over }).catch(() => undefined);
    }
  }

  async sendBytes(of: "stdout" | "stderr", bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES_MAX) {
      await this.send({ $case: of, value: bytes.subarray(at, at + PIECE_BYTES_MAX) });
    }
  }

  /** Hands over one message after the other; the next one comes when the last was taken. */
  receive(take: (message: Down) => Promise<void>): void {
    this.#stream.on("data", ({ message }: TunnelResponse) => {
      if (message === undefined) return;
      this.#stream.pause();
      void take(message)
        .catch(() => this.cancel())
        .finally(() => this.#stream.resume());
    });
  }

  end(): void {
    this.#stream.end();
  }

  cancel(): void {
    this.#stream.cancel();
  }
}
