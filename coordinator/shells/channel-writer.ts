/**
 * Writes to an SSH channel no faster than its client takes: within the channel's window, and with little waiting in the
 * socket, since a client may open a window of any size and then not read. One piece at a time: output and errors share
 * the window.
 */
import { once } from "node:events";
import type { Socket } from "node:net";
import type { ServerChannel } from "ssh2";
import { UNSENT_BYTES_MAX } from "./limits.ts";

/** What a write leaves in the channel that had to wait; the library writes it again when errors wait after it. */
interface WaitedWrites {
  _chunk: Buffer | undefined;
  _chunkcb: unknown;
  _chunkErr: Buffer | undefined;
  _chunkcbErr: unknown;
}

export class ChannelWriter {
  readonly #channel: ServerChannel;
  readonly #socket: Socket;
  readonly #over: AbortSignal;

  /** `over` aborts when nothing can be written any more. */
  constructor(channel: ServerChannel, socket: Socket, over: AbortSignal) {
    this.#channel = channel;
    this.#socket = socket;
    this.#over = over;
  }

  /** Resolves once the client may have more; false when it is gone. */
  async write(of: "stdout" | "stderr", bytes: Buffer): Promise<boolean> {
    if (this.#socket.writableLength > UNSENT_BYTES_MAX) {
      await once(this.#socket, "drain", { signal: this.#over }).catch(() => undefined);
    }
    if (this.#over.aborted) return false;
    const written = Promise.withResolvers<void>();
    const gone = () => written.resolve();
    this.#over.addEventListener("abort", gone, { once: true });
    const to = of === "stderr" ? this.#channel.stderr : this.#channel;
    to.write(bytes, () => written.resolve());
    await written.promise;
    this.#over.removeEventListener("abort", gone);
    const waited = this.#channel as unknown as WaitedWrites;
    waited._chunk = waited._chunkErr = waited._chunkcb = waited._chunkcbErr = undefined;
    return !this.#over.aborted;
  }
}
