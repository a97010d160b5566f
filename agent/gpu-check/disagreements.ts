/** Where the views of a machine's GPUs do not agree. Pure. */
import { counted } from "@elastic/std/counted.ts";
import type { GpuReading } from "../gpus/nvml/reading.ts";
import type { CudaGpu } from "./cuda-view.ts";

/** A view, or why there is none. */
export type View<T> = { readonly kind: "seen"; readonly seen: T } | { readonly kind: "none"; readonly why: string };

export interface GpuViews {
  readonly reading: GpuReading;
  /** Of the device files that a program needs for it: those that are not there. */
  readonly filesMissing: readonly string[];
  /** Of a process that was given this GPU alone. */
  readonly cuda: View<readonly CudaGpu[]>;
  /** Null when it was passed. */
  readonly selfTestFailure: string | null;
}

/** CUDA counts what it keeps for itself out. */
const MEMORY_PART_MIN = 0.85;

/** `listed` is what nvidia-smi lists. Empty when all agree. */
export function disagreements(gpus: readonly GpuViews[], listed: View<readonly string[]>): readonly string[] {
  return [...listDisagreements(gpus, listed), ...gpus.flatMap(gpuDisagreements)];
}

function listDisagreements(gpus: readonly GpuViews[], listed: View<readonly string[]>): readonly string[] {
  if (listed.kind === "none") return [`nvidia-smi: ${listed.why}`];
  const read = gpus.map(({ reading }) => reading.uuid);
  return [
    ...read.filter((uuid) => !listed.seen.includes(uuid)).map((uuid) => `${uuid}: nvidia-smi does not list it`),
    ...listed.seen.filter((uuid) => !read.includes(uuid)).map((uuid) => `${uuid}: only nvidia-smi lists it`),
  ];
}

function gpuDisagreements({ reading, filesMissing, cuda, selfTestFailure }: GpuViews): readonly string[] {
  const said: string[] = filesMissing.map((path) => `there is no ${path}`);
  if (cuda.kind === "none") said.push(`a separate process sees nothing: ${cuda.why}`);
  else said.push(...cudaDisagreements(reading, cuda.seen));
  if (selfTestFailure !== null) said.push(`self-test: ${selfTestFailure}`);
  return said.map((what) => `${reading.uuid}: ${what}`);
}

function cudaDisagreements(reading: GpuReading, seen: readonly CudaGpu[]): readonly string[] {
  const [gpu] = seen;
  if (gpu === undefined || seen.length !== 1)
    return [`a process that was given it alone sees ${counted(seen.length, "GPU")}`];
  const said: string[] = [];
  if (gpu.uuid !== reading.uuid.replace(/^[A-Z]+-/, "")) said.push(`a process that was given it sees ${gpu.uuid}`);
  const part = gpu.memoryBytes / reading.memoryBytes;
  if (part > 1 || part < MEMORY_PART_MIN) {
    said.push(`a process sees ${gpu.memoryBytes} bytes of memory, the driver ${reading.memoryBytes}`);
  }
  return said;
}
