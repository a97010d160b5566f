/** A driver for an engine that may come late, go, and come back: what needs it waits for it a moment. */
import type Docker from "dockerode";
import type { Driver } from "../../domain/driver.ts";
import type { Engine } from "./engine.ts";
import type { EngineKeeper } from "./engine-keeper.ts";

export function lateDriver(
  keeper: Pick<EngineKeeper, "engine" | "whenAvailable" | "stillResponds">,
  make: (engine: Engine) => Driver,
): Driver {
  const drivers = new Map<Docker, Driver>();
  const driverOf = (engine: Engine): Driver => {
    const known = drivers.get(engine.docker) ?? make(engine);
    drivers.set(engine.docker, known);
    return known;
  };
  return {
    name: "docker",
    find: async () => {
      const engine = keeper.engine();
      if (engine === null) return [];
      try {
        return await driverOf(engine).find();
      } catch (error) {
        // What it has is found when it is back; what needs no engine does not wait for that.
        if (await keeper.stillResponds()) throw error;
        return [];
      }
    },
    start: async (spec, report, signal) => {
      for (;;) {
        const driver = driverOf(await keeper.whenAvailable(signal));
        try {
          return await driver.start(spec, report, signal);
        } catch (error) {
          // What failed because the engine went says nothing of the workload.
          if (signal.aborted || (await keeper.stillResponds())) throw error;
        }
      }
    },
  };
}
