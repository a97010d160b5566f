/** A part of an attempt's log: reading stops when it is full, however long the log is. */
import { ApiError } from "../api/problem.ts";

export interface LogPart {
  /** Bytes of the log before it. */
  readonly from: number;
  readonly text: string;
  /** Where the next part begins; null at the end of the log so far. */
  readonly next: number | null;
}

export function logPath(taskId: string, attempt: number): string {
  return `/v1/tasks/${taskId}/logs?attempt=${attempt}`;
}

/** Throws an ApiError where the service refuses it. */
export async function readLogPart(path: string, from: number, bytesMax: number, signal: AbortSignal): Promise<LogPart> {
  const response = await fetch(`${path}&offset=${from}`, { signal });
  if (!response.ok || response.body === null) throw new ApiError(response.status, await response.json());
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { from, text: text + decoder.decode(), next: null };
    const taken = value.subarray(0, bytesMax - bytes);
    text += decoder.decode(taken, { stream: true });
    bytes += taken.length;
    if (bytes < bytesMax) continue;
    await reader.cancel();
    return { from, text, next: from + bytes };
  }
}
