/**
 * A task that waits for its first attempt, as the view holds it: what is its own, and one that is equal but for that. The record
 * is made when somebody reads it, equal to what was stored, field by field.
 */
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";

/** What is the same in all tasks that are held as a difference from it. */
type Alike = Pick<Task, "teamId" | "serviceId">;

/** The last one made or packed: who is notified of a change reads it several times. */
let latest: { readonly of: WaitingTask; readonly value: Task } | null = null;

export class WaitingTask implements Versioned<Task> {
  readonly revision: number;
  readonly #alike: Task;
  readonly #id: string;
  readonly #createdAt: number;
  readonly #requestId: string;
  readonly #traceparent: string | undefined;
  readonly #inputBytes: number;
  readonly #inputSha256: string;
  readonly #priority: number;

  /** `task` is one of which `isFirstWait` holds; `alike` one like it (alike-book.ts), perhaps itself. */
  constructor(task: Task, revision: number, alike: Task) {
    this.revision = revision;
    this.#alike = alike;
    this.#id = task.id;
    this.#createdAt = task.createdAt;
    this.#requestId = task.requestId;
    this.#traceparent = task.traceparent;
    this.#inputBytes = task.input.bytes;
    this.#inputSha256 = task.input.sha256;
    this.#priority = task.priority;
    latest = { of: this, value: task };
  }

  get alike(): Alike {
    return this.#alike;
  }

  get createdAt(): number {
    return this.#createdAt;
  }

  get value(): Task {
    if (latest?.of === this) return latest.value;
    const createdAt = this.#createdAt;
    const { where } = this.#alike.input;
    const value: Task = {
      ...this.#alike,
      id: this.#id,
      createdAt,
      requestId: this.#requestId,
      input: { bytes: this.#inputBytes, sha256: this.#inputSha256, where },
      priority: this.#priority,
      phase: { kind: "queued", since: createdAt, lastFailure: null },
      timeline: [[createdAt, "created"]],
      ...(this.#traceparent !== undefined && { traceparent: this.#traceparent }),
    };
    latest = { of: this, value };
    return value;
  }
}

const FIELDS_OF_PHASE = 3;
const FIELDS_OF_INPUT = 3;

/** Whether it is as it was created: nothing is lost where its phase, timeline and input are made again. */
export function isFirstWait({ createdAt, phase, timeline, input }: Task): boolean {
  if (phase.kind !== "queued" || phase.since !== createdAt || phase.lastFailure !== null) return false;
  const [mark] = timeline;
  if (timeline.length !== 1 || mark?.length !== 2 || mark[0] !== createdAt || mark[1] !== "created") return false;
  return Object.keys(phase).length === FIELDS_OF_PHASE && Object.keys(input).length === FIELDS_OF_INPUT;
}
