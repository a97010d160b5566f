/**
 * One kernel host as the agent sees it: a child process and the calls that are under way in it. Frames of one
 * turn of the loop are written together, so that many short calls cost few system calls.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import type { ProverEnd } from "../../domain/driver.ts";
import { logTail } from "../../domain/log-tail.ts";
import { type ProverLog, proverLog } from "../../domain/prover-log.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import {
  CHUNK_BYTES_MAX,
  decodeDone,
  decodeProgress,
  encodeCall,
  encodeFrame,
  FRAME_KIND,
  type Frame,
  frameReader,
  frameWriter,
} from "../../kernels/frames.ts";
import { spawned } from "../spawned.ts";
import { hostEnd } from "./exit.ts";
import type { HostCommand } from "./sandbox.ts";

/** What comes back of one call. */
interface CallEvents {
  onOutput(chunk: Buffer): void;
  onDone(status: number, last: Buffer): void;
  /** How far it is, from 0 to 1. */
  onProgress(fraction: number): void;
  /** The host ended before it responded. */
  onEnded(end: ProverEnd): void;
}

export interface HostProcess {
  readonly ended: Promise<ProverEnd>;
  /** What it writes. */
  readonly written: ProverLog;
  /** Starts a call and returns its number. `first` is the complete input or its beginning. */
  call(inputBytes: number, first: Buffer, events: CallEvents): number;
  /** More of the input; waits while the host reads slower than this writes. */
  input(call: number, chunk: Buffer): Promise<void>;
  cancel(call: number): void;
  markLog(): number;
  logSince(mark: number): string;
  /** Ends the host at once. */
  kill(): Promise<ProverEnd>;
}

const LOG_BYTES_MAX = 64 * 1024;
const LOG_TAIL_BYTES_MAX = 4 * 1024;
/** A bubblewrap that is killed while it creates its sandbox leaves a process behind that waits for it without end. */
const WALLS_UP_WITHIN_MS = 2_000;

/** Resolves once the host says that it is ready. */
export async function startHost(command: HostCommand, signal: AbortSignal): Promise<HostProcess> {
  signal.throwIfAborted();
  const child = spawned(
    spawn(command.file, command.args, { stdio: ["ignore", "pipe", "pipe", "pipe"], env: command.env }),
  );
  const socket = child.stdio[3] as Duplex;
  const log = logTail(LOG_BYTES_MAX);
  const written = proverLog();
  const onWritten = (chunk: Buffer): void => {
    log.append(chunk);
    written.write(chunk);
  };
  child.stdout?.on("data", onWritten);
  child.stderr?.on("data", onWritten);
  const calls = new Map<number, CallEvents>();
  const send = frameWriter(socket);
  let killed = false;
  let lastCall = 0;

  const ended = new Promise<ProverEnd>((resolve) => {
    const onEnd = (code: number | null, name: string | null): void => {
      const end = hostEnd(code, name, log.since(0, LOG_BYTES_MAX), killed);
      resolve(end);
      written.end();
      for (const events of calls.values()) events.onEnded(end);
      calls.clear();
    };
    child.once("error", (error) => {
      log.append(Buffer.from(`${error.message}\n`));
      onEnd(null, null);
    });
    // `close`, not `exit`: the log is complete then.
    child.once("close", onEnd);
  });
  socket.on("error", () => child.kill("SIGKILL"));

  const kill = (): Promise<ProverEnd> => {
    killed = true;
    child.kill("SIGKILL");
    return ended;
  };

  const onCallFrame = ({ kind, call, payload }: Frame): void => {
    const events = calls.get(call);
    if (kind === FRAME_KIND.output) events?.onOutput(payload);
    if (kind === FRAME_KIND.progress) events?.onProgress(decodeProgress(payload));
    if (kind !== FRAME_KIND.done || events === undefined) return;
    calls.delete(call);
    const { status, last } = decodeDone(payload);
    events.onDone(status, last);
  };

  await untilReady({ child, socket, ended, signal, kill, onCallFrame, logged: () => log.since(0, LOG_TAIL_BYTES_MAX) });

  return {
    ended,
    written,
    call: (inputBytes, first, events) => {
      lastCall = (lastCall % 0xffff_ffff) + 1;
      const call = lastCall;
      calls.set(call, events);
      const whole = first.length <= CHUNK_BYTES_MAX;
      const head = whole ? first : first.subarray(0, CHUNK_BYTES_MAX);
      send(encodeFrame(FRAME_KIND.call, call, encodeCall(inputBytes, head)));
      for (let at = head.length; at < first.length; at += CHUNK_BYTES_MAX) {
        send(encodeFrame(FRAME_KIND.input, call, first.subarray(at, at + CHUNK_BYTES_MAX)));
      }
      return call;
    },
    input: async (call, chunk) => {
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES_MAX) {
        const flowing = send(encodeFrame(FRAME_KIND.input, call, chunk.subarray(at, at + CHUNK_BYTES_MAX)));
        if (!flowing) await drained(socket, ended);
      }
    },
    cancel: (call) => {
      send(encodeFrame(FRAME_KIND.cancel, call, Buffer.alloc(0)));
    },
    markLog: () => log.mark(),
    logSince: (mark) => log.since(mark, LOG_TAIL_BYTES_MAX),
    kill,
  };
}

/**
 * Receives the first frame, then passes the frames of calls on. Aborted before, the host is killed once its sandbox is
 * up for certain: a first frame says so, or the time.
 */
function untilReady(host: {
  readonly child: ChildProcess;
  readonly socket: Duplex;
  readonly ended: Promise<ProverEnd>;
  readonly signal: AbortSignal;
  readonly kill: () => Promise<ProverEnd>;
  readonly onCallFrame: (frame: Frame) => void;
  readonly logged: () => string;
}): Promise<void> {
  const { child, socket, ended, signal, kill, onCallFrame, logged } = host;
  return new Promise((resolve, reject) => {
    let ready = false;
    let refusal: StartFailure | null = null;
    let wait: NodeJS.Timeout | undefined;
    const startedAt = performance.now();
    const onAbort = (): void => {
      wait = setTimeout(() => void kill(), startedAt + WALLS_UP_WITHIN_MS - performance.now());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    const read = frameReader((frame) => {
      if (ready) return onCallFrame(frame);
      if (signal.aborted) return void kill();
      if (frame.kind === FRAME_KIND.ready) {
        signal.removeEventListener("abort", onAbort);
        ready = true;
        resolve();
      } else {
        const why = frame.payload.toString("utf8");
        refusal = new StartFailure("prover_error", `the prover cannot work: ${why}`);
        void kill();
      }
    });
    socket.on("data", (chunk: Buffer) => {
      try {
        read(chunk);
      } catch {
        child.kill("SIGKILL");
      }
    });
    void ended.then(({ exitCode, signal: name, outOfMemory }) => {
      signal.removeEventListener("abort", onAbort);
      clearTimeout(wait);
      if (signal.aborted) return reject(signal.reason);
      const how = name ?? `code ${exitCode}`;
      const reason = outOfMemory ? "out_of_memory" : "prover_error";
      const failure = { exitCode, logTail: logged() };
      reject(refusal ?? new StartFailure(reason, `the prover ended before it was ready (${how})`, failure));
    });
  });
}

function drained(socket: Duplex, ended: Promise<unknown>): Promise<unknown> {
  return Promise.race([new Promise((resolve) => socket.once("drain", resolve)), ended]);
}
