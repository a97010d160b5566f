/** A thread of native calls, seen from the host's main thread: the batch that it works on, and what became of each call. */
import { Worker } from "node:worker_threads";
import { BATCH_CALLS_MAX, CallSlots } from "./call-slots.ts";
import type { Batch, SlotAnswer, WorkerAnswer, WorkerData } from "./prove-worker.ts";

export interface Call {
  readonly call: number;
  /** Alone in its memory, which moves to the thread when it is long. */
  readonly input: Buffer;
  readonly onAnswer: (answer: WorkerAnswer) => void;
}

/** Below this a copy costs less than a hand-over. */
const COPY_BYTES_MAX = 64 * 1024;
/** Calls that took less than this on average are followed by several at once: handing one over costs more than it takes. */
const SHORT_CALL_MS = 1;

export class CallThread {
  readonly #worker: Worker;
  readonly #slots = new CallSlots();
  readonly #idle: (thread: CallThread) => void;
  /** Of the batch: null for those that ended, or were taken back. */
  #calls: (Call | null)[] = [];
  #open = 0;
  #batch = 0;
  #beganMs = 0;
  #shortCalls = false;
  /** When the call that runs now began, as far as this thread knows. */
  sinceMs = 0;
  readonly #reportedMillionths: number[] = [];

  /** `onIdle` is called before the answer of a batch's last call is passed on. */
  constructor(options: Omit<WorkerData, "slots">, onIdle: (thread: CallThread) => void) {
    this.#idle = onIdle;
    const data: WorkerData = { ...options, slots: this.#slots.shared };
    // A thread whose output Node passes on makes it set the process's own descriptors to not block, and native code
    // that writes faster than the agent reads would lose what does not fit: so Node passes nothing on.
    const url = new URL("./prove-worker.ts", import.meta.url);
    this.#worker = new Worker(url, { workerData: data, stdout: true, stderr: true });
    // A thread that fails takes the process with it: the agent starts a fresh one.
    this.#worker.on("error", (error) => {
      throw error;
    });
    this.#worker.on("message", (answer: SlotAnswer) => this.#answered(answer));
  }

  get isIdle(): boolean {
    return this.#open === 0;
  }

  /** Whether a call waits behind another. */
  get hasBacklog(): boolean {
    return this.#open > 1;
  }

  /** Takes its next batch from the front; of an idle thread only. */
  feed(waiting: Call[]): void {
    let count = Math.min(waiting.length, this.#shortCalls ? BATCH_CALLS_MAX : 1);
    const long = waiting.findIndex(({ input }) => input.length > COPY_BYTES_MAX);
    // Memory that moved cannot be taken back: such a call is alone.
    if (long >= 0) count = Math.min(count, Math.max(1, long));
    this.#calls = waiting.splice(0, count);
    this.#open = count;
    this.#batch++;
    for (let slot = 0; slot < count; slot++) {
      this.#slots.reset(slot, this.#batch);
      this.#reportedMillionths[slot] = 0;
    }
    this.#beganMs = performance.now();
    this.sinceMs = this.#beganMs;
    const inputs = this.#calls.flatMap((call) => call?.input ?? []);
    const batch: Batch = { number: this.#batch, inputs };
    this.#worker.postMessage(batch, long === 0 ? inputs.map((input) => input.buffer as ArrayBuffer) : []);
  }

  /** The calls behind the one that runs, where they have not begun. */
  takeBack(): Call[] {
    const first = this.#calls.findIndex((call) => call !== null);
    return this.#calls.flatMap((call, slot) => (call !== null && slot > first && this.#take(slot) ? [call] : []));
  }

  /** Null where it has no such call. */
  cancel(of: number): { readonly call: Call; readonly hasBegun: boolean } | null {
    const slot = this.#calls.findIndex((call) => call?.call === of);
    const call = this.#calls[slot];
    if (!call) return null;
    // One that is alone may be about to begin, and its answer says so.
    const hasBegun = this.#open === 1 || !this.#take(slot);
    if (hasBegun) this.#slots.cancel(slot);
    return { call, hasBegun };
  }

  reportProgress(report: (call: number, millionths: number) => void): void {
    for (const [slot, call] of this.#calls.entries()) {
      const millionths = this.#slots.progress(slot);
      if (call === null || millionths === this.#reportedMillionths[slot]) continue;
      this.#reportedMillionths[slot] = millionths;
      report(call.call, millionths);
    }
  }

  #take(slot: number): boolean {
    if (!this.#slots.claim(slot, this.#batch)) return false;
    this.#calls[slot] = null;
    this.#open--;
    return true;
  }

  #answered({ slot, status, output }: SlotAnswer): void {
    const done = this.#calls[slot];
    if (!done) return;
    this.#calls[slot] = null;
    this.#open--;
    this.sinceMs = performance.now();
    if (this.#open === 0) {
      this.#shortCalls = this.sinceMs - this.#beganMs < SHORT_CALL_MS * this.#calls.length;
      this.#idle(this);
    }
    done.onAnswer({ status, output });
  }
}
