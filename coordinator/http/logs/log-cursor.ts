/** How far the log of one attempt has been read, as text: a character is never cut in two. */
import type { LogPiece } from "../../public/log-event.ts";
import type { LogRef, TaskLogs } from "../../task-logs/task-logs.ts";
import { completeLength } from "./complete-length.ts";

const PIECE_BYTES_MAX = 64 * 1024;

export class LogCursor {
  readonly ref: LogRef;
  #offset: number;

  constructor(ref: LogRef, from: number) {
    this.ref = ref;
    this.#offset = from;
  }

  /** Null where nothing more is there. The last bytes may be a character's beginning: they come with `isOver`. */
  async next(logs: Pick<TaskLogs, "read">, isOver: boolean): Promise<LogPiece | null> {
    const data = await logs.read(this.ref, this.#offset, PIECE_BYTES_MAX);
    const complete = completeLength(data);
    const bytes = complete === 0 && isOver ? data.length : complete;
    if (bytes === 0) return null;
    const piece = { offset: this.#offset, bytes, text: data.toString("utf8", 0, bytes) };
    this.#offset += bytes;
    return piece;
  }
}
