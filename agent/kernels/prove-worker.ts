/**
 * The thread of a kernel host that makes the native calls, one after the other. Meanwhile the host's main
 * thread listens, and reaches a call through the shared words.
 */
import { parentPort, workerData } from "node:worker_threads";
import { BATCH_CALLS_MAX, CallSlots } from "./call-slots.ts";
import { loadLibrary } from "./library.ts";

export interface WorkerData {
  readonly libraryPath: string;
  readonly proverName: string;
  readonly testProvers: boolean;
  /** Of its CallSlots. */
  readonly slots: SharedArrayBuffer;
}

/** Calls to be made in this order, each in the slot of its index. */
export interface Batch {
  readonly number: number;
  readonly inputs: readonly Uint8Array[];
}

export interface WorkerAnswer {
  readonly status: number;
  readonly output: Uint8Array;
}

export interface SlotAnswer extends WorkerAnswer {
  readonly slot: number;
}

if (parentPort !== null) {
  const port = parentPort;
  const { libraryPath, proverName, testProvers, slots: shared } = workerData as WorkerData;
  const library = loadLibrary(libraryPath, { testProvers });
  const slots = new CallSlots(shared);
  const words = Array.from({ length: BATCH_CALLS_MAX }, (_, slot) => slots.wordsOf(slot));
  port.on("message", ({ number, inputs }: Batch) => {
    for (const [slot, input] of inputs.entries()) {
      const of = words[slot];
      if (of === undefined || !slots.claim(slot, number)) continue;
      const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
      const { status, output } = library.prove(proverName, bytes, of.progress, of.cancel);
      const answer: SlotAnswer = { slot, status, output };
      port.postMessage(answer, [output.buffer as ArrayBuffer]);
    }
  });
}
