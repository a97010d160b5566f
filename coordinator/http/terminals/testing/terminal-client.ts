/** A client of terminals: it keeps what it receives, and acknowledges it unless it is not to. */
import { WebSocket } from "ws";

export interface TerminalClientOptions {
  readonly shellId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ticket?: string;
  readonly query?: string;
  /** Default true. */
  readonly acknowledges?: boolean;
}

export interface End {
  readonly code: number;
  readonly reason: string;
}

export class TerminalClient {
  readonly socket: WebSocket;
  readonly ended: Promise<End>;
  readonly messages: { readonly type: string; readonly [name: string]: unknown }[] = [];
  output = Buffer.alloc(0);

  constructor(socket: WebSocket, acknowledges: boolean) {
    this.socket = socket;
    socket.on("error", () => undefined);
    this.ended = new Promise((resolve) => {
      socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    });
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      if (isBinary) {
        this.output = Buffer.concat([this.output, data]);
        if (acknowledges) this.sendMessage({ type: "ack", bytes: data.length });
      } else this.messages.push(JSON.parse(data.toString()));
    });
  }

  types(bytes: Buffer | string): void {
    this.socket.send(Buffer.from(bytes), { binary: true });
  }

  sendMessage(message: object): void {
    this.socket.send(JSON.stringify(message));
  }
}

/** The refusal of a handshake, as an HTTP response. */
export interface Refused {
  readonly status: number;
  readonly code: string;
}

export function dialTerminal(
  url: string,
  { shellId, headers, ticket, query = "", acknowledges = true }: TerminalClientOptions,
): Promise<TerminalClient | Refused> {
  const search = `${ticket === undefined ? "" : `ticket=${ticket}`}${query}`;
  const socket = new WebSocket(`${url}/v1/shells/${shellId}/terminal?${search}`, { headers });
  const client = new TerminalClient(socket, acknowledges);
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(client));
    socket.once("error", reject);
    socket.once("unexpected-response", (_, response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, code: JSON.parse(Buffer.concat(pieces).toString()).code });
      });
    });
  });
}
