/**
 * Measures a machine that was just enrolled, so that its node has a score from its agent's first hello on. Enrollment has
 * succeeded by then: whatever fails here is said, and left to the agent, which measures what is missing once it runs.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { machineScore } from "@elastic/proto/score.ts";
import { type AccelLibrary, type Device, NO_PLUGIN } from "../accel-library/accel-library.ts";
import { withAccelLibrary } from "../accel-library/with-accel-library.ts";
import { readDriverOnce } from "../gpus/driver-process.ts";
import type { GpuReading } from "../gpus/nvml/reading.ts";
import type { Speed } from "../kernels/zkaccel/benchmark.ts";
import { devicesToMeasure } from "../node-speed/devices-to-measure.ts";
import { MEASURE_SECONDS, nameOf, SPEEDS_FILE, speedsVersion } from "../node-speed/speed-keeper.ts";
import { readSpeeds, writeSpeeds } from "../node-speed/speeds-file.ts";
import { socketDirOf } from "../status/socket-dir.ts";
import { queryAgent } from "../status/status-socket.ts";
import { lateProgress } from "./late-progress.ts";

/** Of the machine's settings. */
export interface MeasureSettings {
  readonly accelLibrary: string | null;
  readonly nvmlLibrary: string;
  readonly stateDir: string;
}

export interface MeasureEnrolledOptions {
  readonly signal: AbortSignal;
  /** A line of how it goes; none where it takes but a moment. */
  readonly onProgress: (line: string) => void;
}

/** Of an operator's patience, and of a script's that pastes the line. */
const ALL_WITHIN_MS = 120_000;
const REPORT_AFTER_MS = 2_000;

/** Returns the line to print; null where this machine has nothing to measure with, or an agent that does it. */
export async function measureEnrolled(
  readSettings: () => MeasureSettings,
  options: MeasureEnrolledOptions,
): Promise<string | null> {
  const progress = lateProgress(REPORT_AFTER_MS, options.onProgress);
  try {
    const { accelLibrary, nvmlLibrary, stateDir } = readSettings();
    if (accelLibrary === null || (await queryAgent(socketDirOf(stateDir), "/")) !== null) return null;
    const driver = await readDriverOnce(nvmlLibrary);
    const gpus = driver.kind === "read" ? driver.reading.gpus : [];
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(ALL_WITHIN_MS)]);
    const report = (line: string): void => progress.report(`measures this machine: ${line}`);
    return await withAccelLibrary(accelLibrary, gpus, (library) =>
      measureMissing(library, gpus, { stateDir, report, signal }),
    );
  } catch (error) {
    return scoreText(null, [(error as Error).message]);
  } finally {
    progress.end();
  }
}

async function measureMissing(
  library: AccelLibrary,
  gpus: readonly GpuReading[],
  of: { readonly stateDir: string; readonly report: (line: string) => void; readonly signal: AbortSignal },
): Promise<string> {
  mkdirSync(of.stateDir, { recursive: true });
  const file = join(of.stateDir, SPEEDS_FILE);
  const version = speedsVersion(library);
  const speeds = new Map<string, Speed>(readSpeeds(file, version));
  const failures = gpus.length > 0 && !library.hasCuda ? [NO_PLUGIN] : [];
  for (const device of devicesToMeasure(library, gpus, (one) => speeds.has(nameOf(one)))) {
    const name = device ?? "cpu";
    const report = (doing: string): void => of.report(`${name}: ${doing}`);
    try {
      of.signal.throwIfAborted();
      const { speed } = await library.measure(device, { seconds: MEASURE_SECONDS, report, signal: of.signal });
      speeds.set(nameOf(device), speed);
      writeSpeeds(file, version, speeds);
    } catch (error) {
      failures.push(`${name}: ${of.signal.aborted ? "it was interrupted" : (error as Error).message}`);
    }
  }
  const speedOf = (device: Device): Speed | null => speeds.get(nameOf(device)) ?? null;
  const gpuSpeeds = gpus.map(({ uuid }) => speedOf(uuid));
  return scoreText(machineScore(speedOf(null), gpuSpeeds), failures);
}

/** What the operator reads. */
function scoreText(score: number | null, failures: readonly string[]): string {
  const found = score === null ? "this machine has no score yet" : `score of this machine: ${score}`;
  return failures.length === 0 ? found : `${found} (${failures.join("; ")}); the agent tries again once it runs`;
}
