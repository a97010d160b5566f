/**
 * The thread of a kernel host that makes the native calls, one after the other. Meanwhile the host's main
 * thread listens, and reaches a call through the shared words.
 */
import { parentPort, workerData } from "node:worker_threads";
import { loadLibrary } from "./library.ts";

export interface WorkerData {
  readonly libraryPath: string;
  readonly proverName: string;
  readonly testProvers: boolean;
  /** Two words: cancel, then progress in millionths. */
  readonly words: SharedArrayBuffer;
}

export interface WorkerAnswer {
  readonly status: number;
  readonly output: Uint8Array;
}

if (parentPort !== null) {
  const port = parentPort;
  const { libraryPath, proverName, testProvers, words } = workerData as WorkerData;
  const library = loadLibrary(libraryPath, { testProvers });
  const cancel = new Uint32Array(words, 0, 1);
  const progress = new Uint32Array(words, 4, 1);
  port.on("message", (input: Uint8Array) => {
    const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    const answer: WorkerAnswer = library.prove(proverName, bytes, progress, cancel);
    port.postMessage(answer, [answer.output.buffer as ArrayBuffer]);
  });
}
