/**
 * The lines of a service's log as its pieces come, at most so many: the oldest give way. A line may come in many pieces, those
 * of several tasks mixed, and pieces that are known come again after a cut. Pure.
 */
import type { components } from "elastic-client/gen/schema.ts";

export type LogPiece = components["schemas"]["LogPiece"];

export interface LogLine {
  /** Never used again. */
  readonly id: number;
  readonly taskId: string;
  readonly attempt: number;
  /** As it was written, without its end of line; of a very long one the beginning. */
  readonly text: string;
  /** Characters of it that are not retained. */
  readonly cut: number;
}

export interface LogLimits {
  readonly linesMax: number;
  readonly charsMax: number;
  readonly lineCharsMax: number;
}

/** Some 20 MB of memory. */
export const LOG_LIMITS: LogLimits = { linesMax: 20_000, charsMax: 8_000_000, lineCharsMax: 200_000 };

interface Source {
  /** Bytes of its log that have come. */
  end: number;
  /** Its line that has no end yet. */
  open: number | null;
}

export class LogBuffer {
  readonly #limits: LogLimits;
  /** By id, the oldest first. */
  readonly #lines = new Map<number, LogLine>();
  readonly #sources = new Map<string, Source>();
  #nextId = 0;
  #chars = 0;

  constructor(limits: LogLimits = LOG_LIMITS) {
    this.#limits = limits;
  }

  lines(): readonly LogLine[] {
    return [...this.#lines.values()];
  }

  add(piece: LogPiece): void {
    const { task_id: taskId, attempt } = piece;
    const name = `${taskId}/${attempt}`;
    const source = this.#sources.get(name) ?? { end: piece.offset, open: null };
    this.#sources.set(name, source);
    // Something between was not sent: what comes is no continuation.
    if (piece.offset > source.end) source.open = null;
    const text = newPart(piece, source.end);
    if (text === null) return;
    source.end = piece.offset + piece.bytes;
    const parts = text.split("\n");
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      if (!isLast || part !== "") source.open = this.#write(source.open, part, { taskId, attempt });
      if (!isLast) source.open = null;
    }
    this.#forgetOldest();
  }

  #write(open: number | null, text: string, of: Pick<LogLine, "taskId" | "attempt">): number {
    const before = open === null ? undefined : this.#lines.get(open);
    const id = before?.id ?? this.#nextId++;
    const retained = text.slice(0, Math.max(0, this.#limits.lineCharsMax - (before?.text.length ?? 0)));
    this.#chars += retained.length;
    this.#lines.set(id, {
      id,
      ...of,
      text: (before?.text ?? "") + retained,
      cut: (before?.cut ?? 0) + text.length - retained.length,
    });
    return id;
  }

  #forgetOldest(): void {
    for (const [id, { text }] of this.#lines) {
      if (this.#lines.size <= this.#limits.linesMax && this.#chars <= this.#limits.charsMax) return;
      this.#lines.delete(id);
      this.#chars -= text.length;
    }
  }
}

/** What has not come before; null for nothing. */
function newPart({ offset, bytes, text }: LogPiece, end: number): string | null {
  if (offset + bytes <= end) return null;
  if (offset >= end) return text;
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(end - offset));
}
