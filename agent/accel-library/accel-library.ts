/**
 * The acceleration library (kernels/accel) as the agent uses it: each request goes to a separate process, in the
 * sandbox of builtin provers. Whatever the library does there, the request ends within its time.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Logger } from "@elastic/std/log.ts";
import type { GpuNodes } from "../gpus/device-nodes.ts";
import type { Backend, DeviceInfo } from "../kernels/zkaccel/accelerator.ts";
import { BENCHMARK_SIZE_LOG2, type Speed } from "../kernels/zkaccel/benchmark.ts";
import type { Answer, Question } from "../kernels/zkaccel/messages.ts";
import { createSandbox } from "../workloads/builtin/create-sandbox.ts";
import { isDriverLevelError } from "./driver-level-error.ts";
import { type QueryOptions, queryChild } from "./query-child.ts";

/** A GPU by its UUID; null for the CPU. */
export type Device = string | null;

interface MeasureOptions {
  /** How long each figure is measured at least. */
  readonly seconds: number;
  /** Receives what is being done. */
  readonly report: (doing: string) => void;
  readonly signal: AbortSignal;
}

export interface Measured {
  readonly info: DeviceInfo;
  readonly speed: Speed;
}

interface SelfTested {
  /** Null when the known answers were computed, else why not. */
  readonly failure: string | null;
  /** Why the CPU computed them, which tests the way to the library and says little of the GPU; null where the GPU did. */
  readonly insteadOfGpu: string | null;
}

export interface AccelLibrary {
  /** Another one after any change of its files. */
  readonly version: string;
  /** The folder of its copies. */
  readonly folder: string;
  /** Whether its plug-in for GPUs is next to it. */
  readonly hasCuda: boolean;
  /** Rejects with a sentence where the library does not work on the device, as `measure` does. */
  info(device: Device): Promise<DeviceInfo>;
  measure(device: Device, options: MeasureOptions): Promise<Measured>;
  /** The GPU computes, or the CPU where the library can use no such GPU. One that it could use and cannot has failed. */
  selfTest(gpuUuid: string): Promise<SelfTested>;
}

const PLUGIN = "libzkaccel_cuda.so";
export const NO_PLUGIN = `no ${PLUGIN} next to the library`;
const INFO_TIMEOUT_MS = 30_000;
/** The first call on a GPU that was reset takes seconds. */
const SELF_TEST_TIMEOUT_MS = 60_000;
/** A slow processor takes a minute, and a busy one several. */
const MEASURE_TIMEOUT_MS = 600_000;

/** `folder` is the agent's own, for copies. Rejects with a sentence where there is no such library, or no sandbox. */
export async function openAccelLibrary(
  library: string,
  folder: string,
  gpuNodes: GpuNodes,
  log: Logger,
): Promise<AccelLibrary> {
  const plugin = join(dirname(library), PLUGIN);
  const companions = existsSync(plugin) ? [plugin] : [];
  const sandbox = await createSandbox({ library, companions: companions, folder }, log);
  if (sandbox === null) throw new Error("neither bubblewrap nor another user works here, and it would run as root");
  const hasCuda = companions.length > 0;

  const query = (question: Question, device: Device, given: Omit<QueryOptions, "gpus">): Promise<Answer> => {
    const uuids = device === null ? [] : [device];
    return queryChild(sandbox, question, {
      ...given,
      gpus: { uuids, devices: gpuNodes(uuids).map(({ path }) => path) },
    });
  };
  const backendOf = (device: Device) => (device === null ? "cpu" : "cuda");
  const compute = async (backend: Backend, gpuUuid: string): Promise<string | null> => {
    const answer = await query({ kind: "self-test", backend }, gpuUuid, { timeoutMs: SELF_TEST_TIMEOUT_MS });
    return answer.kind === "tested" ? answer.failure : whyOf(answer);
  };

  return {
    version: await digestOf([library, ...companions]),
    folder: sandbox.root.folder,
    hasCuda,
    info: async (device) => {
      const question = { kind: "info", backend: backendOf(device) } as const;
      const answer = await query(question, device, { timeoutMs: INFO_TIMEOUT_MS });
      if (answer.kind === "info") return answer.info;
      throw new Error(whyOf(answer));
    },
    measure: async (device, { seconds, report, signal }) => {
      const question = { kind: "measure", backend: backendOf(device), seconds, log2: BENCHMARK_SIZE_LOG2 } as const;
      const answer = await query(question, device, { timeoutMs: MEASURE_TIMEOUT_MS, report, signal });
      if (answer.kind === "measured") return answer;
      throw new Error(whyOf(answer));
    },
    selfTest: async (gpuUuid) => {
      const failure = hasCuda ? await compute("cuda", gpuUuid) : NO_PLUGIN;
      const isOfGpu = hasCuda && (failure === null || !isDriverLevelError(failure));
      if (isOfGpu) return { failure, insteadOfGpu: null };
      return { failure: await compute("cpu", gpuUuid), insteadOfGpu: failure };
    },
  };
}

function whyOf(answer: Answer): string {
  return answer.kind === "failed" ? answer.why : `the library's process returned ${answer.kind}`;
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(file));
  return hash.digest("hex");
}
