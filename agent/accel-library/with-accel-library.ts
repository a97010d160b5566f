/** The acceleration library for one command, with copies that are gone after it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { deviceNodes, readMigMinors } from "../gpus/device-nodes.ts";
import type { GpuReading } from "../gpus/nvml/reading.ts";
import { type AccelLibrary, openAccelLibrary } from "./accel-library.ts";

/** Rejects with a sentence where the library cannot be used. */
export async function withAccelLibrary<T>(
  path: string,
  gpus: readonly GpuReading[],
  use: (library: AccelLibrary) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "elastic-accel-"));
  const nodesOf = (uuids: readonly string[]) =>
    deviceNodes(
      gpus.filter(({ uuid }) => uuids.includes(uuid)),
      readMigMinors(),
    );
  try {
    const log = createLog({ name: "accel", level: "silent" });
    const library = await openAccelLibrary(path, join(folder, "accel"), nodesOf, log);
    // With another kind of sandbox the copies are elsewhere.
    return await use(library).finally(() => rm(library.folder, { recursive: true, force: true }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
