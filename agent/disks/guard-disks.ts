/** A driver of workloads that starts none while the disks are full; what runs continues to run. */
import type { Driver } from "../domain/driver.ts";
import { StartFailure } from "../domain/start-failure.ts";

/** A coordinator that knows of the pressure assigns nothing here; an assignment may have been on its way. */
export function guardDisks(driver: Driver, pressure: () => string | null): Driver {
  return {
    ...driver,
    start: async (spec, report, signal) => {
      const why = pressure();
      // Erasing a shell's home makes room.
      if (why !== null && spec.shell?.erase !== true) throw new StartFailure("node_disk_full", why);
      return driver.start(spec, report, signal);
    },
  };
}
