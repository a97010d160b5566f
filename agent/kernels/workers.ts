/**
 * The threads of a kernel host. Calls wait in order; another thread is started only while a call waits and all
 * threads are at one call for a while, so short calls share one thread and long ones run side by side.
 */
import { Worker } from "node:worker_threads";
import type { WorkerAnswer, WorkerData } from "./prove-worker.ts";
import { STATUS } from "./status.ts";

export interface WorkersOptions extends Omit<WorkerData, "words"> {
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

interface Waiting {
  readonly call: number;
  /** Alone in its memory, which moves to the thread when it is long. */
  readonly input: Buffer;
  readonly onAnswer: (answer: WorkerAnswer) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly words: Int32Array;
  running: Waiting | null;
  /** Start of the running call. */
  since: number;
  /** How far the running call is, as reported last. */
  reportedMillionths: number;
}

/** A call that runs longer than this is a long one. */
const LONG_CALL_MS = 20;

/** Below this a copy costs less than a hand-over. */
const COPY_BYTES_MAX = 64 * 1024;

const CANCELLED: WorkerAnswer = { status: STATUS.cancelled, output: Buffer.from("the call was cancelled") };

export function startWorkers(options: WorkersOptions): Workers {
  const threads: Thread[] = [];
  let waiting: Waiting[] = [];
  let patience: NodeJS.Timeout | null = null;

  const addThread = (): void => {
    const words = new SharedArrayBuffer(8);
    const data: WorkerData = { ...options, words };
    // A thread whose output Node passes on makes it set the process's own descriptors to not block, and native code
    // that writes faster than the agent reads would lose what does not fit: so Node passes nothing on.
    const url = new URL("./prove-worker.ts", import.meta.url);
    const worker = new Worker(url, { workerData: data, stdout: true, stderr: true });
    const thread: Thread = { worker, words: new Int32Array(words), running: null, since: 0, reportedMillionths: 0 };
    // A thread that fails takes the process with it: the agent starts a fresh one.
    worker.on("error", (error) => {
      throw error;
    });
    worker.on("message", (answer: WorkerAnswer) => {
      const done = thread.running;
      thread.running = null;
      feed();
      done?.onAnswer(answer);
    });
    threads.push(thread);
  };

  const feed = (): void => {
    for (const thread of threads) {
      if (thread.running !== null) continue;
      const next = waiting.shift();
      if (next === undefined) break;
      Atomics.store(thread.words, 0, 0);
      Atomics.store(thread.words, 1, 0);
      thread.running = next;
      thread.since = performance.now();
      thread.reportedMillionths = 0;
      thread.worker.postMessage(
        next.input,
        next.input.length > COPY_BYTES_MAX ? [next.input.buffer as ArrayBuffer] : [],
      );
    }
    if (waiting.length > 0 && patience === null && threads.length < options.threadsMax) {
      patience = setTimeout(grow, LONG_CALL_MS);
    }
  };

  const grow = (): void => {
    patience = null;
    const longSince = performance.now() - LONG_CALL_MS;
    if (waiting.length > 0 && threads.every((thread) => thread.since <= longSince)) addThread();
    feed();
  };

  addThread();
  return {
    call: (call, input, onAnswer) => {
      waiting.push({ call, input, onAnswer });
      feed();
    },
    cancel: (call) => {
      const running = threads.find((thread) => thread.running?.call === call);
      if (running !== undefined) {
        Atomics.store(running.words, 0, 1);
        return;
      }
      const dropped = waiting.find((entry) => entry.call === call);
      waiting = waiting.filter((entry) => entry !== dropped);
      dropped?.onAnswer(CANCELLED);
    },
    reportProgress: (report) => {
      for (const thread of threads) {
        const millionths = Atomics.load(thread.words, 1);
        if (thread.running === null || millionths === thread.reportedMillionths) continue;
        thread.reportedMillionths = millionths;
        report(thread.running.call, millionths);
      }
    },
  };
}
