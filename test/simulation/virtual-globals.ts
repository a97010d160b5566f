/**
 * Puts what passes time and what draws random numbers under the simulation: timers, clocks, files and randomness of the code
 * that runs in a simulated process are virtual, and those of everything else in this program stay as they are.
 */
import crypto from "node:crypto";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import timersPromises from "node:timers/promises";
import type { Disk } from "./disk.ts";
import { VirtualTimer, virtualDelay } from "./virtual-timer.ts";
import { type Process, running } from "./world.ts";

type Callback = (...given: unknown[]) => void;
type Method = (...given: never[]) => unknown;

const DISK_CALLS = ["mkdir", "open", "readdir", "readFile", "rename", "rm", "stat", "appendFile", "writeFile"] as const;

/** Until what it returns is disposed of. */
export function installVirtualGlobals(): Disposable {
  const undo: (() => void)[] = [];
  /** `make` is called for each call from a simulated process. */
  const divert = (owner: object, name: string, make: (process: Process) => Method): void => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const real = Reflect.get(owner, name) as (this: unknown, ...given: unknown[]) => unknown;
    function diverted(this: unknown, ...given: unknown[]): unknown {
      const process = running.getStore();
      if (process === undefined) return real.apply(this, given);
      return (make(process) as (...given: unknown[]) => unknown)(...given);
    }
    Object.defineProperty(owner, name, { value: Object.assign(diverted, real), configurable: true, writable: true });
    undo.push(() => {
      if (descriptor === undefined) Reflect.deleteProperty(owner, name);
      else Object.defineProperty(owner, name, descriptor);
    });
  };

  const timer =
    (label: string, isRepeated: boolean) =>
    (process: Process) =>
    (act: Callback, ms?: number, ...given: unknown[]) =>
      new VirtualTimer(process, { label, ms: Math.max(1, ms ?? 1), isRepeated, act: () => act(...given) });
  divert(globalThis, "setTimeout", timer("timeout", false));
  divert(globalThis, "setInterval", timer("interval", true));
  divert(
    globalThis,
    "setImmediate",
    (process) =>
      (act: Callback, ...given: unknown[]) =>
        new VirtualTimer(process, { label: "immediate", ms: 0, isRepeated: false, act: () => act(...given) }),
  );
  for (const name of ["clearTimeout", "clearInterval", "clearImmediate"]) {
    divert(globalThis, name, () => (handle: unknown) => {
      if (handle instanceof VirtualTimer) handle.cancel();
    });
  }
  divert(AbortSignal, "timeout", (process) => (ms: number) => {
    const ending = new AbortController();
    const late = () => ending.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    process.world.in(process, ms / process.drift.rate, "abort", late);
    return ending.signal;
  });
  divert(
    Date,
    "now",
    ({ clock }) =>
      () =>
        clock.now(),
  );
  divert(
    performance,
    "now",
    ({ clock }) =>
      () =>
        clock.monotonicMs(),
  );
  divert(
    Math,
    "random",
    ({ world }) =>
      () =>
        world.random.next(),
  );
  divert(
    timersPromises,
    "setTimeout",
    (process) =>
      (ms = 1, value?: unknown, options: { signal?: AbortSignal } = {}) =>
        virtualDelay(process, ms, value, options.signal),
  );
  divert(timersPromises, "setImmediate", (process) => (value?: unknown) => virtualDelay(process, 0, value));
  divert(crypto, "randomFillSync", ({ world }) => (bytes: Uint8Array) => {
    world.random.fill(bytes);
    return bytes;
  });
  divert(crypto, "randomBytes", ({ world }) => (count: number) => {
    const bytes = Buffer.alloc(count);
    world.random.fill(bytes);
    return bytes;
  });
  for (const name of DISK_CALLS) {
    divert(fsPromises, name, ({ disk, name: of }) => {
      if (disk === null) throw new Error(`${of} has no disk for ${name}`);
      return disk[name].bind(disk) as Disk[typeof name];
    });
  }
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      for (const back of undo.reverse()) back();
      syncBuiltinESMExports();
    },
  };
}
