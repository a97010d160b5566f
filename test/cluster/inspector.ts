/** V8's inspector of a process that was started with INSPECTED in its environment. */
import { createWriteStream } from "node:fs";
import type { Child } from "@elastic/deploy/local/child.ts";

export const INSPECTED = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const LISTENING = /^Debugger listening on (ws:\S+)$/;
const TIMEOUT_MS = 60_000;

export interface Inspector {
  /** Has the process collect all garbage there is. */
  collectGarbage(): Promise<void>;
  /** Has the allocator of the C library return to the system what nothing holds. */
  trimMemory(): Promise<void>;
  /** Blocks the event loop, from when it next turns; resolves once it turns again. */
  blockLoop(blockedMs: number): Promise<void>;
  /** Of JavaScript's heap. */
  heapBytes(): Promise<number>;
  /** For the developer tools of a browser. */
  writeHeapSnapshot(file: string): Promise<void>;
}

/** Soon after the start: of what a process prints only the latest lines are retained. */
export async function inspectorAddress(child: Child): Promise<string> {
  return await child.line((line) => LISTENING.exec(line)?.[1], TIMEOUT_MS);
}

export async function inspectorOf(child: Child): Promise<Inspector> {
  const address = await inspectorAddress(child);
  return {
    async collectGarbage() {
      await command(address, "HeapProfiler.collectGarbage");
    },
    async trimMemory() {
      await command(address, "Runtime.evaluate", { params: { expression: TRIM } });
    },
    async blockLoop(blockedMs) {
      const expression = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${blockedMs})`;
      await command(address, "Runtime.evaluate", { params: { expression } });
    },
    heapBytes: async () => (await command(address, "Runtime.getHeapUsage")).usedSize ?? 0,
    async writeHeapSnapshot(file) {
      const out = createWriteStream(file);
      await command(address, "HeapProfiler.takeHeapSnapshot", { onChunk: (chunk) => out.write(chunk) });
      await new Promise((resolve) => out.end(resolve));
    },
  };
}

/** No program depends on it, so it is called from outside. */
const TRIM = `process.getBuiltinModule("node:module").createRequire(${JSON.stringify(import.meta.url)})("koffi")
  .load("libc.so.6").func("int malloc_trim(size_t)")(0)`;

interface Result {
  readonly usedSize?: number;
  readonly exceptionDetails?: { readonly exception?: { readonly description?: string } };
}

interface Message {
  readonly id?: number;
  readonly params?: { readonly chunk?: string };
  readonly result?: Result;
  readonly error?: { readonly message: string };
}

async function command(
  address: string,
  method: string,
  { params = {}, onChunk }: { readonly params?: object; readonly onChunk?: (chunk: string) => void } = {},
): Promise<Result> {
  const socket = new WebSocket(address);
  try {
    return await new Promise<Result>((resolve, reject) => {
      socket.onopen = () => socket.send(JSON.stringify({ id: 1, method, params }));
      socket.onerror = () => reject(new Error(`no inspector responds at ${address}`));
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(String(data)) as Message;
        if (message.params?.chunk !== undefined) onChunk?.(message.params.chunk);
        if (message.id !== 1) return;
        const error = message.error?.message ?? message.result?.exceptionDetails?.exception?.description;
        if (error === undefined) resolve(message.result ?? {});
        else reject(new Error(error));
      };
    });
  } finally {
    socket.close();
  }
}
