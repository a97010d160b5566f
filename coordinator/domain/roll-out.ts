/**
 * The events of a deployment on its way into service, in order. A record next to the deployment, which never changes, under
 * the same id. Events are appended and never changed, so the place of one names it for good.
 *
 *   received ─▶ resolved ─▶ [waiting] ─▶ placed ─▶ [pulling] ─▶ [fetching] ─▶ pulled ─▶ started ─▶ healthy ─▶ [proving] ─▶ ready
 *                               ▲──────── retrying ◀───────────────┴─────────────┘                   └──▶ failed
 *   any but the last ones ──another deployment, or the service is deleted──▶ cancelled
 */
import type { Instant } from "@elastic/std/clock.ts";
import { WORKLOAD_STEPS } from "./assignment.ts";
import type { FailureReason } from "./failure.ts";

export const ROLL_OUT_STAGES = [
  "received",
  "resolved",
  "waiting",
  "placed",
  "pulling",
  "fetching",
  "pulled",
  "started",
  "healthy",
  "proving",
  "retrying",
  "ready",
  "failed",
  "cancelled",
] as const;

export type RollOutStage = (typeof ROLL_OUT_STAGES)[number];

/** What was being tried when a roll-out failed. */
export const FAILED_STEPS = ["placing", ...WORKLOAD_STEPS, "proving"] as const;

export type FailedStep = (typeof FAILED_STEPS)[number];

export interface StepFailure {
  readonly step: FailedStep;
  readonly reason: FailureReason;
  readonly message: string;
  readonly exitCode: number | null;
  readonly logTail: string;
}

export interface RollOutEvent {
  readonly at: Instant;
  readonly stage: RollOutStage;
  /** The workload that it is about. */
  readonly assignmentId: string | null;
  /** The task that shows whether it proves, with `proving`. */
  readonly taskId?: string | null;
  /** Brought to the node for it, with `pulled`. */
  readonly bytes: number | null;
  /** For a person: what is waited for, or what made it begin. */
  readonly note: string | null;
  /** With `retrying` and `failed`. */
  readonly failure: StepFailure | null;
}

export interface RollOut {
  /** Of the deployment. */
  readonly id: string;
  readonly serviceId: string;
  readonly teamId: string;
  readonly events: readonly RollOutEvent[];
}

/** Beyond these only the few are appended that decide its end: the record stays small whatever nodes do. */
const EVENTS_BYTES_MAX = 3_500;
const NOTE_CHARS_MAX = 200;
const MESSAGE_CHARS_MAX = 500;
const LOG_TAIL_CHARS_MAX = 800;
/** Of a failure that is followed by another try. */
const RETRIED_MESSAGE_CHARS_MAX = 200;

type EventDetail = Partial<Pick<RollOutEvent, "assignmentId" | "taskId" | "bytes" | "note" | "failure">>;

export function rollOutEvent(stage: RollOutStage, at: Instant, detail: EventDetail = {}): RollOutEvent {
  const { assignmentId = null, taskId = null, bytes = null, note = null, failure = null } = detail;
  return {
    at,
    stage,
    assignmentId,
    ...(taskId !== null && { taskId }),
    bytes,
    note: note && head(note, NOTE_CHARS_MAX),
    failure: failure && cut(failure, stage),
  };
}

/** A roll-out that begins: the request came at one time, and its image was known at another. */
export function beginRollOut(
  of: Omit<RollOut, "events">,
  times: { readonly receivedAt: Instant; readonly resolvedAt: Instant },
  note: string | null,
): RollOut {
  const events = [rollOutEvent("received", times.receivedAt, { note }), rollOutEvent("resolved", times.resolvedAt)];
  return { ...of, events };
}

/** The roll-out with these events after its own. One that has ended takes none. */
export function withEvents(rollOut: RollOut, more: readonly RollOutEvent[]): RollOut {
  let { events } = rollOut;
  for (const event of more) {
    if (hasEnded({ events })) continue;
    const longer = [...events, { ...event, at: Math.max(event.at, events.at(-1)?.at ?? event.at) }];
    if (
      isLast(event.stage) ||
      event.stage === "proving" ||
      Buffer.byteLength(JSON.stringify(longer)) <= EVENTS_BYTES_MAX
    )
      events = longer;
  }
  return { ...rollOut, events };
}

export function hasEnded({ events }: Pick<RollOut, "events">): boolean {
  const last = events.at(-1);
  return last !== undefined && isLast(last.stage);
}

/** Whether the deployment ever served. */
export function wasReady({ events }: Pick<RollOut, "events">): boolean {
  return events.at(-1)?.stage === "ready";
}

function isLast(stage: RollOutStage): boolean {
  return stage === "ready" || stage === "failed" || stage === "cancelled";
}

function cut(failure: StepFailure, stage: RollOutStage): StepFailure {
  if (stage === "retrying") {
    return { ...failure, message: head(failure.message, RETRIED_MESSAGE_CHARS_MAX), logTail: "" };
  }
  const logTail = failure.logTail.slice(-LOG_TAIL_CHARS_MAX).toWellFormed();
  return { ...failure, message: head(failure.message, MESSAGE_CHARS_MAX), logTail };
}

function head(text: string, charsMax: number): string {
  return text.slice(0, charsMax).toWellFormed();
}
