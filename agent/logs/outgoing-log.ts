/** One attempt's log on its way to a coordinator. */
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { HeldLog } from "./held-log.ts";

export class OutgoingLog {
  readonly ref: AttemptRef;
  readonly held: HeldLog;
  /** Nothing more is written. */
  ended = false;
  /** Offset after what was sent on the stream that is open, or was acknowledged before it. */
  sent: number;
  /** Whether the stream that is open carried the end. */
  lastSent = false;
  /** It is delivered or abandoned. */
  done = false;

  constructor(ref: AttemptRef, held: HeldLog) {
    this.ref = ref;
    this.held = held;
    this.sent = held.acknowledged;
  }

  get unsentBytes(): number {
    return this.held.end - this.sent;
  }

  get hasUnsent(): boolean {
    return !this.done && (this.unsentBytes > 0 || (this.ended && !this.lastSent));
  }
}
