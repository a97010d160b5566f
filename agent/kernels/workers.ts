/**
 * The threads of a kernel host. Calls wait in order; another thread is started only while a call waits and all
 * threads are at one call for a while, so short calls share one thread and long ones run side by side.
 */
import { type Call, CallThread } from "./call-thread.ts";
import type { WorkerAnswer, WorkerData } from "./prove-worker.ts";
import { STATUS } from "./status.ts";

export interface WorkersOptions extends Omit<WorkerData, "slots"> {
  /** Calls that may run side by side. */
  readonly threadsMax: number;
}

export interface Workers {
  call(call: number, input: Buffer, onAnswer: (answer: WorkerAnswer) => void): void;
  /** A call that waits is ended at once; one that runs is requested to stop. */
  cancel(call: number): void;
  /** Calls `report` with each call that has said something new of how far it is since the last time. */
  reportProgress(report: (call: number, millionths: number) => void): void;
}

/** A call that runs longer than this is a long one. */
const LONG_CALL_MS = 20;

const CANCELLED: WorkerAnswer = { status: STATUS.cancelled, output: Buffer.from("the call was cancelled") };

export function startWorkers({ threadsMax, ...options }: WorkersOptions): Workers {
  const threads: CallThread[] = [];
  let waiting: Call[] = [];
  let patience: NodeJS.Timeout | null = null;

  const feed = (): void => {
    for (const thread of threads) if (waiting.length > 0 && thread.isIdle) thread.feed(waiting);
    const mayGrow = waiting.length > 0 && threads.length < threadsMax;
    if (patience === null && (mayGrow || threads.some((thread) => thread.hasBacklog))) {
      patience = setTimeout(grow, LONG_CALL_MS);
    }
  };

  /** What waits behind a long call goes to others. */
  const grow = (): void => {
    patience = null;
    const longSince = performance.now() - LONG_CALL_MS;
    const isLong = (thread: CallThread) => !thread.isIdle && thread.sinceMs <= longSince;
    const back = threads.flatMap((thread) => (isLong(thread) ? thread.takeBack() : []));
    waiting = [...back, ...waiting];
    if (waiting.length > 0 && threads.length < threadsMax && threads.every(isLong)) addThread();
    feed();
  };

  const addThread = (): void => {
    threads.push(new CallThread(options, feed));
  };

  addThread();
  return {
    call: (call, input, onAnswer) => {
      waiting.push({ call, input, onAnswer });
      feed();
    },
    cancel: (call) => {
      for (const thread of threads) {
        const cancelled = thread.cancel(call);
        if (cancelled === null) continue;
        if (!cancelled.hasBegun) cancelled.call.onAnswer(CANCELLED);
        return;
      }
      const dropped = waiting.find((entry) => entry.call === call);
      waiting = waiting.filter((entry) => entry !== dropped);
      dropped?.onAnswer(CANCELLED);
    },
    reportProgress: (report) => {
      for (const thread of threads) thread.reportProgress(report);
    },
  };
}
