/** Receives Xid errors from the driver. */
import koffi from "koffi";
import { check, NVML, type Nvml } from "./bind.ts";
import type { Device } from "./read-gpus.ts";
import type { XidEvent } from "./reading.ts";

/** nvmlEventData_t: device, type, data, GPU instance, compute instance. */
const EVENT_BYTES = 32;
/** Beyond these the rest waits for the next look. */
const EVENTS_MAX = 64;
const NO_INSTANCE = 0xffff_ffff;
/** An error of memory that is reported as a separate event is what Xid 48 says. */
const DOUBLE_BIT_XID = 48;

export class XidEvents {
  readonly #nvml: Nvml;
  readonly #set: unknown;
  readonly #uuids = new Map<bigint, string>();

  constructor(nvml: Nvml) {
    this.#nvml = nvml;
    const set = [null];
    this.#set = nvml.eventSet !== null && nvml.eventSet(set) === NVML.ok ? set[0] : null;
  }

  /** Takes up devices that were not known before. */
  follow(devices: readonly Device[]): void {
    if (this.#set === null) return;
    for (const { handle, uuid } of devices) {
      const address = koffi.address(handle);
      if (this.#uuids.has(address)) continue;
      // One that cannot report errors is a GPU all the same.
      this.#nvml.registerEvents?.(handle, NVML.xidEvent | NVML.doubleBitEvent, this.#set);
      this.#uuids.set(address, uuid);
    }
  }

  /** Blocks until an error is reported, at most so long; then takes what else there is. */
  wait(timeoutMs: number): readonly XidEvent[] {
    const received: XidEvent[] = [];
    if (this.#set === null || this.#nvml.waitForEvent === null) return received;
    for (let patience = timeoutMs; received.length < EVENTS_MAX; patience = 0) {
      const data = Buffer.alloc(EVENT_BYTES);
      const status = this.#nvml.waitForEvent(this.#set, data, patience);
      if (status === NVML.timeout) return received;
      check(this.#nvml, status, "nvmlEventSetWait_v2");
      received.push(this.#read(data));
    }
    return received;
  }

  #read(data: Buffer): XidEvent {
    const isDoubleBit = Number(data.readBigUInt64LE(8)) === NVML.doubleBitEvent;
    const gpuInstance = data.readUInt32LE(24);
    return {
      uuid: this.#uuids.get(data.readBigUInt64LE(0)) ?? "",
      gpuInstance: gpuInstance === NO_INSTANCE ? null : gpuInstance,
      xid: isDoubleBit ? DOUBLE_BIT_XID : Number(data.readBigUInt64LE(16)),
    };
  }
}
