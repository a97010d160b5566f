/**
 * One terminal in a browser, from its WebSocket's handshake to its end. Both sides hold at most a window of bytes for each
 * other, so neither a client nor a program that does not read costs memory.
 */
import type { WebSocket } from "ws";
import type { ShellTerminal } from "../../tunnels/shell-terminals.ts";
import { TunnelError } from "../../tunnels/tunnels.ts";
import { Gate } from "./gate.ts";
import { InputQueue } from "./input-queue.ts";
import { SendWindow } from "./send-window.ts";
import {
  CLOSES_WITHIN_MS,
  IDLE_MS,
  PINGS_MISSED_MAX,
  PONG_UNSENT_BYTES_MAX,
  RESIZE_EVERY_MS,
  UNSENT_BYTES_MAX,
} from "./terminal-limits.ts";
import { CLOSE, closeReason, parseClientMessage, type ServerMessage } from "./terminal-message.ts";

export interface TerminalUse {
  /** Whether the caller may still use it; unknown while the view is too old to know. */
  readonly permission: () => "granted" | "ended" | "unknown";
  /** Something was typed. */
  readonly typed: () => void;
  /** Whether the shell is up, so that connecting again is worth a try. */
  readonly isUp: () => boolean;
  readonly failed: (error: unknown) => void;
  readonly monotonicMs: () => number;
}

type Size = { readonly columns: number; readonly rows: number };

export class TerminalConnection {
  readonly #socket: WebSocket;
  readonly #use: TerminalUse;
  readonly #gone = new AbortController();
  readonly #gate = new Gate();
  readonly #window = new SendWindow();
  readonly #input: InputQueue;
  readonly #opened = Promise.withResolvers<ShellTerminal>();
  #resizing: { size: Size; timer: NodeJS.Timeout } | null = null;
  #pingsMissed = 0;
  #movedAtMs: number;

  constructor(socket: WebSocket, use: TerminalUse) {
    this.#socket = socket;
    this.#use = use;
    this.#movedAtMs = use.monotonicMs();
    this.#opened.promise.catch(() => undefined);
    this.#input = new InputQueue({
      write: (bytes) => this.#write(bytes),
      written: (bytes) => this.#send({ type: "ack", bytes }),
      failed: () => undefined,
    });
    socket.on("error", () => undefined);
    socket.once("close", () => this.#gone.abort());
    socket.on("message", (data: Buffer, isBinary: boolean) => this.#received(data, isBinary));
    socket.on("ping", (data: Buffer) => {
      if (socket.bufferedAmount < PONG_UNSENT_BYTES_MAX) socket.pong(data);
    });
    socket.on("pong", () => {
      this.#pingsMissed = 0;
    });
  }

  /** Resolves when nothing comes or goes any more. */
  async run(open: (show: (text: string) => void, signal: AbortSignal) => Promise<ShellTerminal>): Promise<void> {
    let terminal: ShellTerminal | null = null;
    try {
      terminal = await open((text) => this.#send({ type: "notice", text }), this.#gone.signal);
      this.#opened.resolve(terminal);
      this.#gone.signal.addEventListener("abort", terminal.close.bind(terminal), { once: true });
      await this.#carryOutput(terminal);
    } catch (error) {
      if (!this.#gone.signal.aborted) this.#failed(error);
    } finally {
      this.#opened.reject(new TunnelError("the terminal was closed"));
      terminal?.close();
      clearTimeout(this.#resizing?.timer);
    }
  }

  /** Ends it where the caller may no longer use it or nobody does, and holds it while that is unknown. */
  review(): void {
    const permission = this.#use.permission();
    if (permission === "ended") {
      this.close(CLOSE.ended, "you are logged out, or no longer in the shell's team");
    } else if (permission === "unknown") {
      this.#gate.close();
    } else {
      this.#gate.open();
    }
    if (this.#use.monotonicMs() - this.#movedAtMs >= IDLE_MS) {
      this.close(CLOSE.ended, "nobody used the terminal for an hour");
    }
  }

  ping(): void {
    if (this.#pingsMissed >= PINGS_MISSED_MAX) {
      this.#socket.terminate();
      return;
    }
    this.#pingsMissed += 1;
    this.#socket.ping();
  }

  /** Nothing passes from now on, whatever the client does. */
  close(code: number, why: string): void {
    if (this.#gone.signal.aborted) return;
    this.#socket.close(code, closeReason(why));
    this.#gone.abort();
    this.#gate.open();
    setTimeout(() => this.#socket.terminate(), CLOSES_WITHIN_MS).unref();
  }

  async #carryOutput(terminal: ShellTerminal): Promise<void> {
    const { signal } = this.#gone;
    for await (const bytes of terminal.output) {
      await this.#gate.pass();
      await this.#window.room(signal);
      if (signal.aborted) return;
      this.#movedAtMs = this.#use.monotonicMs();
      this.#window.sent(bytes.length);
      this.#socket.send(bytes, { binary: true });
    }
    const code = await terminal.exit;
    this.#send({ type: "exit", code });
    this.close(CLOSE.exited, "the login shell exited");
  }

  #failed(error: unknown): void {
    if (!(error instanceof TunnelError)) this.#use.failed(error);
    const why = error instanceof TunnelError ? error.message : "the terminal failed; try again";
    this.close(this.#use.isUp() ? CLOSE.tryAgain : CLOSE.ended, why);
  }

  #received(data: Buffer, isBinary: boolean): void {
    if (this.#gone.signal.aborted) return;
    if (isBinary) {
      this.#movedAtMs = this.#use.monotonicMs();
      this.#use.typed();
      if (!this.#input.push(data)) this.close(CLOSE.violation, "more input than may wait for its acknowledgement");
      return;
    }
    const message = parseClientMessage(data.toString());
    if (message === null) this.close(CLOSE.violation, "a text message that is not one of a terminal");
    else if (message.type === "resize") this.#resize(message);
    else if (!this.#window.acknowledge(message.bytes)) {
      this.close(CLOSE.violation, "an acknowledgement of output that was not sent");
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    const terminal = await this.#opened.promise;
    await this.#gate.pass();
    if (!this.#gone.signal.aborted) await terminal.write(bytes);
  }

  /** The last size of those that come within a moment. */
  #resize({ columns, rows }: Size): void {
    const size = { columns, rows };
    if (this.#resizing !== null) {
      this.#resizing.size = size;
      return;
    }
    const timer = setTimeout(() => {
      const last = this.#resizing?.size ?? size;
      this.#resizing = null;
      void this.#opened.promise.then(
        (terminal) => terminal.resize(last),
        () => undefined,
      );
    }, RESIZE_EVERY_MS);
    this.#resizing = { size, timer };
  }

  #send(message: ServerMessage): void {
    if (this.#gone.signal.aborted) return;
    if (this.#socket.bufferedAmount > UNSENT_BYTES_MAX) this.#socket.terminate();
    else this.#socket.send(JSON.stringify(message));
  }
}
