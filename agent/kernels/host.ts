/**
 * A kernel host: the child process in which one builtin prover runs. It responds to the agent's frames on
 * descriptor 3 and makes the native calls on separate threads, so that a cancel is received while one blocks.
 * A native crash ends this process and nothing else. Run by workloads/builtin/.
 *
 *   node host.ts <library> <prover> <threads> <memory in bytes> <test provers: 0|1>
 */
import { Socket } from "node:net";
import {
  CHUNK_BYTES_MAX,
  decodeCall,
  encodeDone,
  encodeFrame,
  encodeProgress,
  FRAME_KIND,
  type Frame,
  frameReader,
  frameWriter,
} from "./frames.ts";
import { loadLibrary } from "./library.ts";
import { watchMemory } from "./memory-watch.ts";
import type { WorkerAnswer } from "./prove-worker.ts";
import { STATUS } from "./status.ts";
import { startWorkers, type Workers } from "./workers.ts";

/** An input on its way in. */
interface Incoming {
  readonly bytes: Buffer;
  filled: number;
}

const AGENT_DESCRIPTOR = 3;
const PROGRESS_EVERY_MS = 1_000;

function main([libraryPath, proverName, threads, memoryBytes, testProvers]: readonly string[]): void {
  if (libraryPath === undefined || proverName === undefined) throw new Error("host.ts needs a library and a prover");
  const agent = new Socket({ fd: AGENT_DESCRIPTOR, readable: true, writable: true });
  const send = frameWriter(agent);
  // Without the agent nobody waits for the response. A thread in native code would hold up an orderly exit.
  agent.on("close", () => process.kill(process.pid, "SIGKILL"));
  agent.on("error", () => process.kill(process.pid, "SIGKILL"));

  watchMemory(Number(memoryBytes));
  const options = { libraryPath, proverName, testProvers: testProvers === "1", threadsMax: Number(threads ?? "1") };
  const prepared = loadLibrary(libraryPath, options).prepare(proverName);
  if (prepared.status !== STATUS.ok) {
    send(encodeFrame(FRAME_KIND.unusable, prepared.status, prepared.output.subarray(0, CHUNK_BYTES_MAX)));
    agent.end();
    return;
  }
  const workers = startWorkers(options);
  const onFrame = respondToFrames(workers, send);
  agent.on("data", frameReader(onFrame));
  const report = (call: number, millionths: number): void => {
    send(encodeFrame(FRAME_KIND.progress, call, encodeProgress(millionths)));
  };
  setInterval(() => workers.reportProgress(report), PROGRESS_EVERY_MS).unref();
  send(encodeFrame(FRAME_KIND.ready, 0, Buffer.alloc(0)));
}

function respondToFrames(workers: Workers, send: (frame: Buffer) => void): (frame: Frame) => void {
  const incoming = new Map<number, Incoming>();
  const take = (call: number, input: Incoming, chunk: Buffer): void => {
    chunk.copy(input.bytes, input.filled);
    input.filled += chunk.length;
    if (input.filled < input.bytes.length) return;
    incoming.delete(call);
    workers.call(call, input.bytes, (answer) => sendAnswer(send, call, answer));
  };
  return ({ kind, call, payload }) => {
    if (kind === FRAME_KIND.call) {
      const { inputBytes, first } = decodeCall(payload);
      const input = { bytes: Buffer.allocUnsafeSlow(inputBytes), filled: 0 };
      incoming.set(call, input);
      take(call, input, first);
    } else if (kind === FRAME_KIND.input) {
      const input = incoming.get(call);
      if (input !== undefined) take(call, input, payload);
    } else if (kind === FRAME_KIND.cancel) {
      if (incoming.delete(call)) sendAnswer(send, call, { status: STATUS.cancelled, output: Buffer.alloc(0) });
      else workers.cancel(call);
    }
  };
}

function sendAnswer(send: (frame: Buffer) => void, call: number, answer: WorkerAnswer): void {
  let rest = answer.output;
  while (rest.length > CHUNK_BYTES_MAX) {
    send(encodeFrame(FRAME_KIND.output, call, rest.subarray(0, CHUNK_BYTES_MAX)));
    rest = rest.subarray(CHUNK_BYTES_MAX);
  }
  send(encodeFrame(FRAME_KIND.done, call, encodeDone(answer.status, rest)));
}

main(process.argv.slice(2));
