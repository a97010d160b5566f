/** Checks the acceleration library, by which a node gets its score and its GPUs are tested. The agent works without. */

import { type Check, ok, warn } from "@elastic/std/check.ts";
import type { AccelLibrary } from "../accel-library/accel-library.ts";
import { isDriverLevelError } from "../accel-library/driver-level-error.ts";
import { withAccelLibrary } from "../accel-library/with-accel-library.ts";
import type { DriverAnswer } from "../gpus/driver-process.ts";

/** How this repository makes it. */
export const BUILD_ACCEL = "build it (bash deploy/setup.sh accel), or set ELASTIC_ACCEL_LIBRARY to a libzkaccel.so";

export async function checkAccel(path: string | null, driver: DriverAnswer): Promise<readonly Check[]> {
  if (path === null) return [ok("accel", `no library, so this node has no score; for one, ${BUILD_ACCEL}`)];
  const gpus = driver.kind === "read" ? driver.reading.gpus : [];
  try {
    return await withAccelLibrary(path, gpus, async (library) => {
      const { isa, threads } = await library.info(null);
      const uuids = gpus.map(({ uuid }) => uuid);
      return [ok("accel", `${path}: CPU with ${isa}, ${threads} threads`), ...(await checkGpus(library, uuids))];
    });
  } catch (error) {
    return [warn("accel", `${path} cannot be used: ${(error as Error).message}`, BUILD_ACCEL)];
  }
}

async function checkGpus(library: AccelLibrary, uuids: readonly string[]): Promise<readonly Check[]> {
  if (uuids.length === 0) return [];
  if (!library.hasCuda) {
    const finding = "no libzkaccel_cuda.so next to the library: GPUs have no score, and are not tested";
    return [warn("accel gpu", finding, "build the library where CUDA's compiler is, and put its plug-in next to it")];
  }
  const checks: Check[] = [];
  for (const uuid of uuids) {
    const check = library.info(uuid).then(
      ({ name }) => ok("accel gpu", `${uuid}: ${name}`),
      (error: Error) => warn("accel gpu", `${uuid} cannot be used: ${error.message}`, remedyOf(error.message)),
    );
    checks.push(await check);
  }
  return checks;
}

function remedyOf(why: string): string {
  return isDriverLevelError(why)
    ? "update the driver, or build the library for it; until then the GPU has no score and is not tested"
    : "look at it (npm run gpu -- check) and reset it; until then it passes no self-test, and stays once quarantined";
}
