/** Runs provers of this repository through the FFI library, each workload in a dedicated kernel host. */
import { setImmediate } from "node:timers/promises";
import type { Driver, Prover, ProverAnswer, ProverCall } from "../../domain/driver.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import { builtinName, type WorkloadSpec } from "../../domain/workload-spec.ts";
import type { GpuNodes } from "../../gpus/device-nodes.ts";
import { STATUS } from "../../kernels/status.ts";
import { callsUnderWay } from "../calls-under-way.ts";
import type { Sandbox } from "./create-sandbox.ts";
import { type HostProcess, startHost } from "./host-process.ts";
import { type ExtraFile, hostCommand, type SandboxKind } from "./sandbox.ts";

export interface BuiltinDriverOptions {
  readonly sandbox: Sandbox;
  /** Names the library offers. */
  readonly provers: readonly string[];
  readonly testProvers: boolean;
  readonly extraFiles: readonly ExtraFile[];
  readonly gpuNodes: GpuNodes;
}

/** Native threads beyond this only take memory. */
const THREADS_MAX = 16;
const OPEN_FILES_MAX = 1024;
/** What the host itself uses in addition to its prover. */
const HOST_MEMORY_BYTES = 256 * 1024 * 1024;
/** How long a cancelled call may take to give up before its host is killed. */
const CANCEL_GRACE_MS = 1_000;

export function builtinDriver(options: BuiltinDriverOptions): Driver {
  return {
    name: "builtin",
    // A kernel host dies with its agent.
    find: async () => [],
    start: async (spec, report, signal) => {
      const name = builtinName(spec) ?? "";
      if (!options.provers.includes(name)) {
        throw new StartFailure("image_unavailable", `this node has no builtin prover named "${name}"`);
      }
      if (spec.gpuUuids.length > 0) assertGpusAlone(options.sandbox.kind);
      report({ step: "starting", doneBytes: 0, totalBytes: 0 });
      return proverOf(await startHost(commandOf(options, spec, name), signal));
    },
  };
}

/** Without its own mounts a prover would see every GPU of the machine. */
function assertGpusAlone(sandbox: SandboxKind): void {
  if (sandbox === "bubblewrap") return;
  throw new StartFailure("gpu_fault", "builtin provers get a GPU only within bubblewrap, which does not work here");
}

function commandOf(options: BuiltinDriverOptions, spec: WorkloadSpec, name: string): ReturnType<typeof hostCommand> {
  const threads = Math.min(spec.concurrency, THREADS_MAX);
  return hostCommand({
    ...options.sandbox,
    script: "host.ts",
    args: [name, `${threads}`, `${spec.resources.memoryBytes + HOST_MEMORY_BYTES}`, options.testProvers ? "1" : "0"],
    extraFiles: options.extraFiles,
    gpus: { uuids: spec.gpuUuids, devices: options.gpuNodes(spec.gpuUuids).map(({ path }) => path) },
    openFilesMax: OPEN_FILES_MAX,
  });
}

function proverOf(host: HostProcess): Prover {
  const calls = callsUnderWay();
  return {
    log: host.written,
    ended: host.ended,
    idle: () => calls.none(),
    stop: async () => void (await host.kill()),
    prove: (call) => calls.track(proveIn(host, call)),
  };
}

function proveIn(host: HostProcess, call: ProverCall): Promise<ProverAnswer> {
  return new Promise((resolve) => {
    const mark = host.markLog();
    const tail = (): string => host.logSince(mark);
    let grace: NodeJS.Timeout | null = null;
    let written: Promise<void> = Promise.resolve();
    let broken: { readonly error: unknown } | null = null;

    const finish = (answer: ProverAnswer): void => {
      if (grace !== null) clearTimeout(grace);
      call.signal.removeEventListener("abort", giveUp);
      resolve(answer);
    };
    const write = (chunk: Buffer): void => {
      if (broken !== null) return;
      try {
        const pending = call.output.write(chunk);
        if (pending !== undefined) written = Promise.all([written, pending]).then(() => undefined);
      } catch (error) {
        broken = { error };
      }
    };
    const conclude = async (status: number, last: Buffer): Promise<void> => {
      if (status !== STATUS.ok) {
        await writtenIsRead();
        return finish(answerOf(status, last.toString("utf8"), tail));
      }
      write(last);
      await written.catch((error: unknown) => {
        broken ??= { error };
      });
      finish(broken === null ? { kind: "responded" } : { kind: "broken", error: broken.error, logTail: tail() });
    };

    call.onCalled();
    const inline = call.input.inline;
    const number = host.call(call.input.bytes, inline ?? Buffer.alloc(0), {
      onOutput: write,
      onDone: (status, last) => void conclude(status, last),
      onProgress: (fraction) => call.onProgress({ fraction, message: "" }),
      onEnded: (end) => finish({ kind: "ended", end, logTail: tail() }),
    });
    const giveUp = (): void => {
      host.cancel(number);
      grace = setTimeout(() => void host.kill(), CANCEL_GRACE_MS);
    };
    call.signal.addEventListener("abort", giveUp, { once: true });
    if (call.signal.aborted) giveUp();
    if (inline === null) {
      void feed(host, number, call).catch((error: unknown) => {
        host.cancel(number);
        finish({ kind: "broken", error, logTail: tail() });
      });
    }
  });
}

/** What the prover wrote before its response is in another pipe: the loop has read it once it came round. */
async function writtenIsRead(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

async function feed(host: HostProcess, number: number, call: ProverCall): Promise<void> {
  for await (const chunk of call.input.open(call.signal)) await host.input(number, chunk);
}

function answerOf(status: number, message: string, tail: () => string): ProverAnswer {
  if (status === STATUS.cancelled) return { kind: "aborted", logTail: tail() };
  if (status === STATUS.panic) return { kind: "refused", message: `the prover panicked: ${message}`, logTail: tail() };
  return { kind: "refused", message, logTail: tail() };
}
