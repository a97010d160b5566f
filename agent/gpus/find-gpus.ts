/** Finds the GPUs of this machine. Whatever the driver does, the agent lives and knows within a limit. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { NvmlGpu } from "./nvml.ts";

export type GpuSearch =
  | { readonly kind: "found"; readonly gpus: readonly NvmlGpu[] }
  /** No library of the driver: this machine has no GPU that could be used. */
  | { readonly kind: "no-driver" }
  /** The driver is there and does not work. */
  | { readonly kind: "broken"; readonly why: string };

export const NVML_LIBRARY = "libnvidia-ml.so.1";

const TIMEOUT_MS = 15_000;
const OUTPUT_BYTES_MAX = 1024 * 1024;
const CHILD = fileURLToPath(new URL("./nvml-child.ts", import.meta.url));
/** The loader's words for a library that is not there. */
const NOT_THERE = /cannot open shared object file/;

export async function findGpus(library: string = NVML_LIBRARY, timeoutMs: number = TIMEOUT_MS): Promise<GpuSearch> {
  const limits = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: OUTPUT_BYTES_MAX } as const;
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CHILD, library], limits);
    return { kind: "found", gpus: JSON.parse(stdout) as readonly NvmlGpu[] };
  } catch (error) {
    const { killed, signal, stderr } = error as {
      readonly killed?: boolean;
      readonly signal?: string | null;
      readonly stderr?: string;
    };
    if (NOT_THERE.test(stderr ?? "")) return { kind: "no-driver" };
    if (killed) return { kind: "broken", why: `the driver did not answer within ${timeoutMs / 1000} s` };
    if (signal) return { kind: "broken", why: `the driver crashed (${signal})` };
    return { kind: "broken", why: stderr || String(error) };
  }
}
