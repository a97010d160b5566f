/**
 * Knows how fast this machine's devices are: each is measured once with this version of the acceleration library, a
 * GPU when nobody has it; what was measured at enrollment is known from the start.
 */
import { availableParallelism, cpus } from "node:os";
import { deviceScore } from "@elastic/proto/score.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type Loop, startLoop } from "@elastic/std/loop.ts";
import type { AccelLibrary, Device } from "../accel-library/accel-library.ts";
import type { GpuKeeper } from "../gpus/gpu-keeper.ts";
import type { Speed } from "../kernels/zkaccel/benchmark.ts";
import { devicesToMeasure } from "./devices-to-measure.ts";
import { readSpeeds, writeSpeeds } from "./speeds-file.ts";

export interface SpeedKeeperOptions {
  /** Null: nothing is measured. */
  readonly library: Pick<AccelLibrary, "version" | "hasCuda" | "measure"> | null;
  readonly file: string;
  readonly gpus: Pick<GpuKeeper, "list" | "take">;
  /** Something was measured. */
  readonly onMeasured: () => void;
  /** Before the first measurement: what starts together with an agent is not slowed down by it. */
  readonly firstAfterMs?: number;
  /** Between looks for a GPU that has come, or become free. */
  readonly lookEveryMs?: number;
  readonly log: Logger;
}

export interface SpeedKeeper {
  /** Null until it was measured. */
  of(device: Device): Speed | null;
  /** From here on what is missing is measured. */
  run(): void;
  stop(): void;
}

/** In the agent's state directory. */
export const SPEEDS_FILE = "speeds.json";

const FIRST_AFTER_MS = 10_000;
const LOOK_EVERY_MS = 60_000;
/** How long each figure is measured at least. */
export const MEASURE_SECONDS = 1;
/** In the place of an assignment, while a GPU is measured. */
const HOLDER = "measurement";
/** Counts with each change of what is measured. */
const BENCHMARK_VERSION = 1;

export function keepSpeeds({ library, file, gpus, ...options }: SpeedKeeperOptions): SpeedKeeper {
  const { onMeasured, firstAfterMs = FIRST_AFTER_MS, lookEveryMs = LOOK_EVERY_MS, log } = options;
  if (library === null) return NOTHING_MEASURED;
  const version = speedsVersion(library);
  const speeds = new Map(readSpeeds(file, version));
  const failed = new Set<Device>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let loop: Loop | null = null;

  const missing = (): readonly Device[] => {
    const free = gpus.list().filter((gpu) => gpu.holder === null && gpu.whyUnhealthy() === null);
    const isDone = (device: Device) => speeds.has(nameOf(device)) || failed.has(device);
    return devicesToMeasure(
      library,
      free.map(({ reading }) => reading),
      isDone,
    );
  };
  const measure = async (device: Device): Promise<void> => {
    try {
      const { speed } = await library.measure(device, { seconds: MEASURE_SECONDS, report: () => undefined, signal });
      speeds.set(nameOf(device), speed);
      log.info({ device: nameOf(device), score: deviceScore(speed), ...speed }, "a device was measured");
      writeSpeeds(file, version, speeds);
    } catch (error) {
      failed.add(device);
      if (!signal.aborted) log.warn({ device: nameOf(device), err: error }, "a device could not be measured");
    }
  };
  const measureAlone = async (gpuUuid: string): Promise<void> => {
    // One that cannot be had now may be had at the next look.
    const held = await gpus.take([gpuUuid], HOLDER, false, signal).catch(() => null);
    if (held !== null) await measure(gpuUuid).finally(() => held.release());
  };
  /** Missing measurements are determined again for each: a workload may have taken a GPU meanwhile. */
  const measureAll = async (): Promise<void> => {
    const tried = new Set<Device>();
    const next = () => missing().find((device) => !tried.has(device));
    for (let device = next(); device !== undefined && !signal.aborted; device = next()) {
      tried.add(device);
      await (device === null ? measure(device) : measureAlone(device));
    }
  };
  const look = async (): Promise<void> => {
    const known = speeds.size;
    await measureAll();
    if (speeds.size > known) onMeasured();
  };

  return {
    of: (device) => speeds.get(nameOf(device)) ?? null,
    run: () => {
      loop ??= startLoop({
        everyMs: lookEveryMs,
        firstAfterMs,
        turn: look,
        onOutcome: (outcome) => {
          if (outcome.kind === "failed") log.warn({ err: outcome.error }, "devices could not be measured");
        },
      });
    },
    stop: () => {
      stopping.abort();
      void loop?.stop();
    },
  };
}

/** What was measured counts for as long as this is the same. */
export function speedsVersion(library: Pick<AccelLibrary, "version">): string {
  return `${BENCHMARK_VERSION}-${library.version}`;
}

const NOTHING_MEASURED: SpeedKeeper = { of: () => null, run: () => undefined, stop: () => undefined };

/** A GPU is known by its UUID; another CPU, or another share of it, is another device. */
export function nameOf(device: Device): string {
  return device ?? `${cpus()[0]?.model ?? "unknown CPU"}, ${availableParallelism()} threads`;
}
