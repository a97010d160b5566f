/**
 * The self-test of a GPU, in a process of its own that sees no other GPU: whatever the GPU does to it, there is an
 * answer within its time.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Null when it was passed, else why not. */
export type SelfTest = (gpuUuid: string) => Promise<string | null>;

const CHILD = fileURLToPath(new URL("./self-test-child.ts", import.meta.url));
/** The first call on a GPU that was reset takes seconds. */
const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/** `library` is the native library, whose own test of the GPU is run where it has one; null for none. */
export function selfTestWith(library: string | null, timeoutMs: number = TIMEOUT_MS): SelfTest {
  return async (gpuUuid) => {
    const env = { CUDA_VISIBLE_DEVICES: gpuUuid, LC_ALL: "C" };
    const limits = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: OUTPUT_BYTES_MAX, env } as const;
    try {
      await promisify(execFile)(process.execPath, [CHILD, gpuUuid, library ?? ""], limits);
      return null;
    } catch (error) {
      const { killed, signal, stderr } = error as {
        readonly killed?: boolean;
        readonly signal?: string | null;
        readonly stderr?: string;
      };
      if (killed) return `the self-test did not end within ${timeoutMs / 1000} s`;
      if (signal) return `the self-test crashed (${signal})`;
      return stderr?.trim() || "the self-test could not be started";
    }
  };
}
