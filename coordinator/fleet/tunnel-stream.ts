/** One tunnel as its users see it, over the agent's call. Both ways wait for whoever does not read. */
import { once } from "node:events";
import type { TunnelRequest, TunnelResponse } from "@elastic/proto/gen/elastic/fleet/v1/tunnel.ts";
import { type ServerDuplexStream, status } from "@grpc/grpc-js";
import { type OutputPiece, type TerminalSize, TunnelError, type TunnelStream } from "../tunnels/tunnels.ts";
import { TUNNEL_PIECE_BYTES_MAX } from "./limits.ts";
import { Refusal } from "./refusal.ts";

export type TunnelCall = ServerDuplexStream<TunnelRequest, TunnelResponse>;
type Down = NonNullable<TunnelResponse["message"]>;

const BROKEN = "the connection to the shell's machine was lost";
const UNKNOWN = new Refusal(status.INVALID_ARGUMENT, "the shell's machine sent what no tunnel carries");

/** Made once the first message, which named the tunnel, was taken from the call. */
export class CallTunnel implements TunnelStream {
  readonly output: AsyncIterable<OutputPiece>;
  readonly exit: Promise<number | null>;
  /** Resolves when nothing comes or goes any more. */
  readonly over: Promise<void>;
  readonly #call: TunnelCall;
  readonly #gone = new AbortController();
  readonly #exit = Promise.withResolvers<number | null>();
  readonly #arrived: TunnelRequest[] = [];
  #wake: () => void = () => undefined;

  constructor(call: TunnelCall) {
    this.#call = call;
    this.exit = this.#exit.promise;
    // Whoever only reads the output gets the error there.
    this.exit.catch(() => undefined);
    this.output = this.#read();
    this.over = new Promise((resolve) => this.#gone.signal.addEventListener("abort", () => resolve(), { once: true }));
    call.on("data", (request: TunnelRequest) => {
      this.#arrived.push(request);
      call.pause();
      this.#wake();
    });
    for (const event of ["cancelled", "close", "error", "end"]) call.on(event, () => this.#broken());
  }

  async write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += TUNNEL_PIECE_BYTES_MAX) {
      if (this.#gone.signal.aborted) return;
      const isTaken = this.#send({ $case: "stdin", value: bytes.subarray(at, at + TUNNEL_PIECE_BYTES_MAX) });
      if (!isTaken) await once(this.#call, "drain", { signal: this.#gone.signal }).catch(() => undefined);
    }
  }

  endInput(): void {
    this.#send({ $case: "stdinEnd", value: {} });
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#send({ $case: "resize", value: { columns, rows } });
  }

  signal(name: string): void {
    this.#send({ $case: "signal", value: name });
  }

  close(): void {
    if (this.#gone.signal.aborted) return;
    this.#end(new TunnelError("the session was closed"));
    this.#call.end();
  }

  /** Ends it with the reason for both sides. */
  refuse(refusal: Refusal): void {
    if (this.#gone.signal.aborted) return;
    this.#end(new TunnelError(refusal.details));
    this.#call.emit("error", refusal);
  }

  #send(message: Down): boolean {
    return this.#gone.signal.aborted || this.#call.write({ message });
  }

  /** What has arrived is read first: an end may be among it. */
  #broken(): void {
    if (this.#arrived.length === 0) this.#end(new TunnelError(BROKEN));
  }

  #end(why: TunnelError | null): void {
    if (why !== null) this.#exit.reject(why);
    this.#gone.abort();
    this.#wake();
  }

  async *#read(): AsyncIterable<OutputPiece> {
    for (;;) {
      const request = await this.#next();
      if (request === undefined) this.#end(new TunnelError(BROKEN));
      const message = request?.message;
      switch (message?.$case) {
        case "stdout":
        case "stderr":
          yield { of: message.$case, bytes: message.value };
          break;
        case "exit":
          this.#exit.resolve(message.value.code ?? null);
          this.#end(null);
          this.#call.end();
          return;
        case "failed":
          this.#end(new TunnelError(message.value.message));
          this.#call.end();
          await this.exit;
          return;
        default:
          this.refuse(UNKNOWN);
          await this.exit;
      }
    }
  }

  async #next(): Promise<TunnelRequest | undefined> {
    while (this.#arrived.length === 0) {
      if (this.#gone.signal.aborted) return undefined;
      if (this.#call.destroyed || this.#call.readableEnded) return undefined;
      const arrived = Promise.withResolvers<void>();
      this.#wake = arrived.resolve;
      this.#call.resume();
      await arrived.promise;
    }
    return this.#arrived.shift();
  }
}
