/**
 * The connection of a terminal: with a fresh ticket each time, and again after a cut. Output is acknowledged once it is shown,
 * so that a program that floods waits for the page.
 */
import { api } from "../../api/client.ts";
import { ApiError, dataOf, messageOf } from "../../api/problem.ts";
import { afterClose } from "./after-close.ts";
import { InputWindow } from "./input-window.ts";

export type LinkState =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  /** It connects again on its own. */
  | { readonly kind: "cut"; readonly why: string }
  | { readonly kind: "ended"; readonly why: string };

export interface Screen {
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Calls back once the bytes are shown. */
  readonly show: (bytes: Uint8Array, shown: () => void) => void;
  /** A line that is no output of a program. */
  readonly note: (text: string) => void;
  readonly changed: (state: LinkState) => void;
}

type ServerMessage =
  | { readonly type: "ack"; readonly bytes: number }
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "exit"; readonly code: number | null };

/** Of what is shown, before it is acknowledged. */
const ACKNOWLEDGED_EVERY_BYTES = 32 * 1024;
/** Of a connection that broke without a word. */
const ABNORMAL = 1006;

export class TerminalLink {
  readonly #shellId: string;
  readonly #screen: Screen;
  #socket: WebSocket | null = null;
  #input: InputWindow | null = null;
  #again: number | undefined;
  #tries = 0;
  #isClosed = false;

  constructor(shellId: string, screen: Screen) {
    this.#shellId = shellId;
    this.#screen = screen;
  }

  /** Does nothing while it is connected. */
  connect(): void {
    window.clearTimeout(this.#again);
    if (this.#socket !== null || this.#isClosed) return;
    this.#screen.changed({ kind: "connecting" });
    const path = { id: this.#shellId };
    dataOf(api.POST("/v1/shells/{id}/terminal-tickets", { params: { path } })).then(
      ({ ticket }) => this.#open(ticket),
      (error: unknown) => this.#refused(error),
    );
  }

  type(text: string): void {
    this.#input?.push(new TextEncoder().encode(text));
  }

  /** Text whose characters are bytes, as xterm.js has it of some mouse reports. */
  typeBytes(text: string): void {
    this.#input?.push(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  }

  resize(columns: number, rows: number): void {
    this.#send({ type: "resize", columns, rows });
  }

  /** For good. */
  close(): void {
    this.#isClosed = true;
    window.clearTimeout(this.#again);
    this.#socket?.close();
  }

  #open(ticket: string): void {
    if (this.#isClosed || this.#socket !== null) return;
    const { columns, rows } = this.#screen.size();
    const url = new URL(`/v1/shells/${this.#shellId}/terminal`, window.location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    url.search = new URLSearchParams({ ticket, columns: String(columns), rows: String(rows) }).toString();
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    const input = new InputWindow((piece) => socket.send(piece));
    socket.addEventListener("open", () => {
      this.#tries = 0;
      this.#input = input;
      this.#screen.changed({ kind: "open" });
    });
    let exit = "";
    let shownBytes = 0;
    socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data !== "string") {
        this.#screen.show(new Uint8Array(data), () => {
          shownBytes += data.byteLength;
          if (shownBytes < ACKNOWLEDGED_EVERY_BYTES) return;
          this.#send({ type: "ack", bytes: shownBytes });
          shownBytes = 0;
        });
        return;
      }
      const message = JSON.parse(data) as ServerMessage;
      if (message.type === "ack") input.acknowledge(message.bytes);
      else if (message.type === "notice") this.#screen.note(message.text);
      else exit = message.code === null ? "" : ` with code ${message.code}`;
    });
    socket.addEventListener("close", ({ code, reason }) => this.#closed(code, reason + exit));
  }

  #refused(error: unknown): void {
    const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
    if (isFinal) this.#end(messageOf(error));
    else this.#closed(ABNORMAL, messageOf(error));
  }

  #closed(code: number, reason: string): void {
    this.#socket = null;
    this.#input = null;
    if (this.#isClosed) return;
    const why = reason === "" ? "the connection was lost" : reason;
    const next = afterClose(code, this.#tries);
    if (next.kind === "over") {
      this.#end(why);
      return;
    }
    this.#tries += 1;
    this.#screen.changed({ kind: "cut", why });
    this.#again = window.setTimeout(() => this.connect(), next.inMs);
  }

  #end(why: string): void {
    this.#tries = 0;
    this.#screen.changed({ kind: "ended", why });
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
