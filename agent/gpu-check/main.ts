/**
 * `npm run gpu -- check`: on a machine with GPUs, whether all that looks at them sees the same: the driver's library as
 * the agent reads it, nvidia-smi, a process that is given one of them, and the self-test. Exits with 1 when they do not
 * agree, and where there is no GPU: what was not checked is never passed.
 */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { counted } from "@elastic/std/counted.ts";
import type { AccelLibrary } from "../accel-library/accel-library.ts";
import { ownFailure } from "../accel-library/self-test.ts";
import { withAccelLibrary } from "../accel-library/with-accel-library.ts";
import { deviceNodes, readMigMinors } from "../gpus/device-nodes.ts";
import { NVML_LIBRARY, readDriverOnce } from "../gpus/driver-process.ts";
import type { GpuReading } from "../gpus/nvml/reading.ts";
import type { CudaGpu } from "./cuda-view.ts";
import { disagreements, type GpuViews, type View } from "./disagreements.ts";

const TIMEOUT_MS = 60_000;
const CUDA_VIEW = fileURLToPath(new URL("./cuda-view.ts", import.meta.url));
const GIB = 1024 ** 3;

interface Libraries {
  readonly nvml: string;
  readonly cuda: string;
  /** The acceleration library, whose test of GPUs is run; null for none. */
  readonly accel: string | null;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nvml: { type: "string", default: NVML_LIBRARY },
    cuda: { type: "string", default: "libcuda.so.1" },
    accel: { type: "string" },
  },
});
if (positionals.join() !== "check") fail("usage: npm run gpu -- check [--accel <library>]");
await check({ ...values, accel: values.accel ?? null });

async function check(libraries: Libraries): Promise<void> {
  const answer = await readDriverOnce(libraries.nvml);
  if (answer.kind === "no-driver") fail(`nothing was checked: there is no ${libraries.nvml}, and so no GPU to be used`);
  if (answer.kind === "broken") fail(`nothing was checked: the driver does not work: ${answer.why}`);
  const { gpus, unread } = answer.reading;
  for (const { uuid, why } of unread) console.log(`${uuid ?? "a GPU"} cannot be read: ${why}`);
  if (gpus.length === 0) fail("nothing was checked: the driver has no GPU");
  const { accel } = libraries;
  const lookWith = (library: AccelLibrary | null) => lookAll(gpus, libraries.cuda, library);
  const views = accel === null ? await lookWith(null) : await withAccelLibrary(accel, gpus, lookWith);
  const found = [
    ...unread.map(({ uuid }) => `${uuid ?? "a GPU"}: it cannot be read`),
    ...disagreements(views, await listed()),
  ];
  for (const what of found) console.log(`DISAGREES ${what}`);
  if (found.length > 0) fail(`${found.length} disagreements`);
  console.log(`${counted(gpus.length, "GPU")}: all that looks at them sees the same, and each passed its self-test`);
}

async function lookAll(
  gpus: readonly GpuReading[],
  cuda: string,
  library: AccelLibrary | null,
): Promise<readonly GpuViews[]> {
  const views: GpuViews[] = [];
  for (const reading of gpus) {
    views.push(await look(reading, cuda, library));
    console.log(inventoryLine(reading));
  }
  console.log(`self-test: ${testedText(library)}`);
  return views;
}

function testedText(library: AccelLibrary | null): string {
  if (library === null) return "of the processor only, since no --accel was given";
  return library.hasCuda ? "of each GPU" : "of the processor only, since no libzkaccel_cuda.so is next to the library";
}

async function look(reading: GpuReading, cuda: string, library: AccelLibrary | null): Promise<GpuViews> {
  const files = deviceNodes([reading], readMigMinors()).map(({ path }) => path);
  return {
    reading,
    filesMissing: files.filter((path) => !existsSync(path)),
    cuda: await cudaView(cuda, reading.uuid),
    selfTestFailure: await selfTestFailure(library, reading.uuid),
  };
}

/** Here a GPU that the library cannot use is one that was not checked. */
async function selfTestFailure(library: AccelLibrary | null, gpuUuid: string): Promise<string | null> {
  if (library === null) return ownFailure();
  const { failure, insteadOfGpu } = await library.selfTest(gpuUuid);
  return failure ?? (library.hasCuda ? insteadOfGpu : null);
}

async function cudaView(library: string, uuid: string): Promise<View<readonly CudaGpu[]>> {
  const env = { CUDA_VISIBLE_DEVICES: uuid, LC_ALL: "C" };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CUDA_VIEW, library], { env, timeout: TIMEOUT_MS });
    return { kind: "seen", seen: JSON.parse(stdout) as CudaGpu[] };
  } catch (error) {
    const { stderr = "" } = error as { readonly stderr?: string };
    return { kind: "none", why: /^\w*Error: (.*)$/m.exec(stderr)?.[1] ?? String(error) };
  }
}

/** GPUs, and instances in place of those that are cut. */
async function listed(): Promise<View<readonly string[]>> {
  try {
    const { stdout } = await promisify(execFile)("nvidia-smi", ["-L"], { timeout: TIMEOUT_MS });
    const blocks = stdout.split(/^(?=GPU )/m);
    const uuids = blocks.flatMap((block) => {
      const [whole, ...instances] = [...block.matchAll(/UUID: ([^)\s]+)/g)].flatMap(([, uuid]) => uuid ?? []);
      return instances.length > 0 ? instances : whole === undefined ? [] : [whole];
    });
    return { kind: "seen", seen: uuids };
  } catch (error) {
    return { kind: "none", why: (error as Error).message.split("\n", 1)[0] ?? "" };
  }
}

function inventoryLine(reading: GpuReading): string {
  const { uuid, model, migProfile, driverVersion, memoryBytes, pciId, temperatureCelsius, powerWatts } = reading;
  const name = `${model} ${migProfile}`.trim();
  const figures = `${(memoryBytes / GIB).toFixed(1)} GiB, ${temperatureCelsius ?? "?"} °C, ${powerWatts ?? "?"} W`;
  return `${uuid}  ${name}  driver ${driverVersion}  ${pciId}  ${figures}`;
}

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
