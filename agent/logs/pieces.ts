/** Pieces of logs: gathered into messages, and remembered until they are acknowledged or rejected. */
import { LOG_PIECES_A_MESSAGE_MAX } from "@elastic/proto/message-limits.ts";
import type { OutgoingLog } from "./outgoing-log.ts";

export interface Piece {
  readonly log: OutgoingLog;
  readonly offset: number;
  readonly data: Buffer;
  /** The log ends with it. */
  readonly last: boolean;
}

/** What is sent at once though little time has passed. */
export const PIECE_BYTES_MAX = 64 * 1024;
const MESSAGE_BYTES_MAX = 256 * 1024;
const WINDOW_BYTES_MAX = 1024 * 1024;
const WINDOW_PIECES_MAX = 4_000;

/** Of each log the next piece, as many as fit a message. One that cannot be read is handed to `onUnreadable`. */
export async function gather(
  logs: Iterable<OutgoingLog>,
  onUnreadable: (log: OutgoingLog) => void,
): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  let bytes = 0;
  for (const log of [...logs].slice(0, LOG_PIECES_A_MESSAGE_MAX)) {
    if (bytes >= MESSAGE_BYTES_MAX) break;
    const offset = log.sent;
    const data = await log.held.read(offset, PIECE_BYTES_MAX).catch(() => null);
    if (data === null || (data.length === 0 && offset < log.held.end)) {
      onUnreadable(log);
      continue;
    }
    pieces.push({ log, offset, data, last: log.ended && offset + data.length === log.held.end });
    bytes += data.length;
  }
  return pieces;
}

/** What was sent on a stream and not acknowledged yet. Acknowledgements come in the order of the pieces. */
export class Unacknowledged {
  #pieces: Omit<Piece, "data">[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Logs leave room for inputs and results on their channel. */
  get hasRoom(): boolean {
    return this.#bytes < WINDOW_BYTES_MAX && this.#pieces.length < WINDOW_PIECES_MAX;
  }

  push({ log, offset, data, last }: Piece): void {
    this.#pieces.push({ log, offset, last });
    this.#sizes.push(data.length);
    this.#bytes += data.length;
  }

  shift(): (Omit<Piece, "data"> & { readonly bytes: number }) | undefined {
    const piece = this.#pieces.shift();
    const bytes = this.#sizes.shift() ?? 0;
    this.#bytes -= bytes;
    return piece && { ...piece, bytes };
  }

  logs(): ReadonlySet<OutgoingLog> {
    return new Set(this.#pieces.map(({ log }) => log));
  }
}
