/** What a driver is sent, and what is read of its response. Webhooks and commands are sent the same JSON. */
import { z } from "zod";
import type { Pool } from "../../domain/pool.ts";
import { isMachineName, MACHINE_NAME_RULE, type PoolMachine } from "../../domain/pool-machine.ts";

export type DriverCall = "grow" | "shrink";

/** The driver did not do it, or did not say so in time. It is called again, with the same request. */
export class DriverError extends Error {
  override readonly name = "DriverError";
}

export interface DriverResponse {
  /** As the driver names the machine; null after a removal. */
  readonly machine: string | null;
}

/** Calls one pool's driver. Throws a DriverError, or the reason of the signal. */
export type CallDriver = (
  pool: Pool,
  order: { readonly call: DriverCall; readonly id: string; readonly body: string },
  signal: AbortSignal,
) => Promise<DriverResponse>;

/** A machine that takes longer to request is requested again: the driver recognizes it by `request_id`. */
export const DRIVER_TIMEOUT_MS = 60_000;
export const RESPONSE_BYTES_MAX = 16 * 1024;
const SHOWN_CHARS_MAX = 200;

export function orderText(call: DriverCall, pool: Pool, machine: PoolMachine): string {
  const { offer } = pool;
  return JSON.stringify({
    call,
    request_id: machine.id,
    pool: pool.id,
    machine: machine.machine,
    node: machine.nodeId,
    ...(call === "grow" && {
      boot_seconds: pool.bootMs / 1000,
      offer: {
        gpu_type: offer.gpuType,
        gpu_count: offer.gpuCount,
        gpu_memory_bytes: offer.gpuMemoryBytes,
        slots: offer.slots,
        cpu_cores: offer.cpuCores,
        memory_bytes: offer.memoryBytes,
        node_labels: offer.labels,
      },
    }),
  });
}

const responseSchema = z.object({ machine: z.string().refine(isMachineName) });

/** Of a call that succeeded. Throws a DriverError where a machine was requested and is not named. */
export function readResponse(call: DriverCall, text: string): DriverResponse {
  if (call === "shrink") return { machine: null };
  const read = responseSchema.safeParse(parsed(text));
  if (read.success) return read.data;
  const shown = JSON.stringify(text.slice(0, SHOWN_CHARS_MAX).toWellFormed());
  throw new DriverError(`it responded ${shown} in place of {"machine": "<name>"}, of ${MACHINE_NAME_RULE}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
