/** What `elastic listen` forwarded, a line each. */
import type { Forwarded } from "../listen/forward-message.ts";
import type { WebhookMessage } from "../listen/webhook-message.ts";
import { printableLine } from "./printable.ts";

const TYPE_WIDTH = "deployment.failed".length;

/** For programs. */
export interface ForwardedRecord {
  readonly webhook_id: string;
  readonly type: string;
  readonly subject_id: string;
  readonly url: string;
  /** Of the response; null where there was none. */
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

export function forwardedRecord(
  { id, type, subjectId }: WebhookMessage,
  url: string,
  { status, error, durationMs }: Forwarded,
): ForwardedRecord {
  return { webhook_id: id, type, subject_id: subjectId, url, status, error, duration_ms: durationMs };
}

/** As `task.succeeded  0193…  204 in 3 ms`. */
export function forwardedLine({ type, subject_id: id, status, error, duration_ms: ms }: ForwardedRecord): string {
  const outcome = status === null ? `not accepted: ${error}` : `${status} in ${ms} ms`;
  return [printableLine(type).padEnd(TYPE_WIDTH), printableLine(id), printableLine(outcome)].join("  ");
}
