/** `elastic-agent bench`: how fast this machine's devices are with the acceleration library, and its score. */
import { deviceScore, machineScore } from "@elastic/proto/score.ts";
import { type AccelLibrary, type Device, NO_PLUGIN } from "../accel-library/accel-library.ts";
import { withAccelLibrary } from "../accel-library/with-accel-library.ts";
import { loadMachineConfig } from "../config/config.ts";
import { BUILD_ACCEL } from "../doctor/accel-check.ts";
import { readDriverOnce } from "../gpus/driver-process.ts";
import { BENCHMARK_SIZE_LOG2, type Speed } from "../kernels/zkaccel/benchmark.ts";
import { socketDirOf } from "../status/socket-dir.ts";
import { queryAgent } from "../status/status-socket.ts";

export interface BenchOptions {
  readonly json: boolean;
  /** How long each figure is measured at least. */
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** A line of how it goes, each only once. */
  readonly onProgress: (line: string) => void;
}

/** What a device was measured at, or why it was not. */
interface Measurement {
  /** `cpu`, or a GPU's UUID. */
  readonly device: string;
  readonly name: string;
  readonly speed: Speed | null;
  readonly failure: string | null;
}

/** Returns the text to print and whether every device was measured. Rejects where the library cannot be used. */
export async function bench(
  env: NodeJS.ProcessEnv,
  options: BenchOptions,
): Promise<{ readonly text: string; readonly done: boolean }> {
  const { accelLibrary, nvmlLibrary, stateDir } = loadMachineConfig(env);
  if (accelLibrary === null) throw new Error(whyNoLibrary(env));
  if (env.ZKA_CPU)
    options.onProgress("ZKA_CPU is left aside: a machine's score is that of its CPU's best instructions");
  const running = (await queryAgent(socketDirOf(stateDir), "/"))?.attemptsRunning ?? 0;
  if (running > 0) options.onProgress(`${running} attempts run here: they and this slow one another down`);
  const driver = await readDriverOnce(nvmlLibrary);
  const gpus = driver.kind === "read" ? driver.reading.gpus : [];
  const uuids = gpus.map(({ uuid }) => uuid);
  const measured = await withAccelLibrary(accelLibrary, gpus, (library) => measureAll(library, uuids, options)).catch(
    (error: Error) => {
      throw new Error(`the acceleration library ${accelLibrary} cannot be used: ${error.message}; ${BUILD_ACCEL}`);
    },
  );
  const [cpu, ...others] = measured.map(({ speed }) => speed);
  const score = machineScore(cpu ?? null, others);
  const text = options.json ? JSON.stringify({ score, devices: measured.map(record) }) : textOf(score, measured);
  return { text, done: measured.every(({ failure }) => failure === null) };
}

function whyNoLibrary(env: NodeJS.ProcessEnv): string {
  const nothing = "there is no acceleration library to measure with";
  if (env.ELASTIC_ACCEL_LIBRARY === undefined) return `${nothing}: ${BUILD_ACCEL}`;
  return `ELASTIC_ACCEL_LIBRARY is none, so ${nothing}: unset it, or set it to a libzkaccel.so`;
}

/** The CPU first. One after the other: each has the machine to itself. */
async function measureAll(
  library: AccelLibrary,
  gpuUuids: readonly string[],
  { seconds, signal, onProgress }: BenchOptions,
): Promise<readonly Measurement[]> {
  await library.info(null);
  const measured: Measurement[] = [];
  for (const device of [null, ...gpuUuids] satisfies Device[]) {
    const name = device ?? "cpu";
    const report = (doing: string): void => onProgress(`${name}: ${doing}`);
    measured.push(await measureOne(library, device, { seconds, signal, report }));
  }
  return measured;
}

async function measureOne(
  library: AccelLibrary,
  device: Device,
  options: Parameters<AccelLibrary["measure"]>[1],
): Promise<Measurement> {
  const what = { device: device ?? "cpu", name: "", speed: null };
  if (options.signal.aborted) return { ...what, failure: "it was interrupted" };
  if (device !== null && !library.hasCuda) return { ...what, failure: NO_PLUGIN };
  try {
    const { info, speed } = await library.measure(device, options);
    const name = device === null ? `${info.name}, ${info.threads} threads, ${info.isa}` : info.name;
    return { ...what, name, speed, failure: null };
  } catch (error) {
    return { ...what, failure: (error as Error).message };
  }
}

function record({ device, name, speed, failure }: Measurement): object {
  return { device, name, score: speed && deviceScore(speed), ...(speed ?? {}), failure };
}

function textOf(score: number | null, measured: readonly Measurement[]): string {
  const lines = measured.map(({ device, name, speed, failure }) => {
    if (speed === null) return `${device}: not measured: ${failure}`;
    const rates = `${millions(speed.msmPointsPerSecond)} points/s, ${millions(speed.nttElementsPerSecond)} elements/s`;
    return `${device} (${name}): score ${deviceScore(speed)}: ${rates}, at 2^${BENCHMARK_SIZE_LOG2}`;
  });
  return [...lines, `score of this machine: ${score ?? "none"}`].join("\n");
}

/** To three digits. */
function millions(rate: number): string {
  return `${Number((rate / 1e6).toPrecision(3))} M`;
}
