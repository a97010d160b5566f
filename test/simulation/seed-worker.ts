/** A thread that runs seeds, one after the other. Started by seed-pool.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { runSeed, type SeedOptions } from "./run-seed.ts";

parentPort?.on("message", async (seed: number) => {
  parentPort?.postMessage(await runSeed(seed, workerData as SeedOptions));
});
