/** Cuts many reports into messages. */
import type { AttemptReport } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { REPORTS_A_MESSAGE_MAX } from "@elastic/proto/message-limits.ts";

interface Reported {
  readonly report: AttemptReport;
}

const MESSAGE_BYTES_MAX = 1024 * 1024;

/** Messages stay well below what a receiver takes. */
export function* batches<T extends Reported>(entries: readonly T[]): Iterable<readonly T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = sizeOf(entry.report);
    if (batch.length > 0 && (batch.length >= REPORTS_A_MESSAGE_MAX || bytes + size > MESSAGE_BYTES_MAX)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf({ outcome }: AttemptReport): number {
  const fixed = 128;
  if (outcome?.$case === "failed") return fixed + 4 * outcome.value.message.length + 4 * outcome.value.logTail.length;
  if (outcome?.$case !== "succeeded" || outcome.value.result?.$case !== "inlineResult") return fixed;
  return fixed + outcome.value.result.value.length;
}
