/** Runs seeds in several threads: each has its own globals, which the runs of one thread share. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { SeedOptions, SeedRun } from "./run-seed.ts";

/** In the order in which they end; rejects where a thread fails. */
export async function* runSeeds(
  seeds: { readonly first: number; readonly count: number },
  threads: number,
  options: SeedOptions,
): AsyncGenerator<SeedRun> {
  const end = seeds.first + seeds.count;
  let next = seeds.first;
  const running = new Map<Worker, Promise<readonly [Worker, SeedRun]>>();
  const give = (worker: Worker): void => {
    if (next >= end) {
      running.delete(worker);
      return;
    }
    running.set(
      worker,
      // Rejects with the error of a thread that fails.
      once(worker, "message").then(([run]) => [worker, run as SeedRun] as const),
    );
    worker.postMessage(next++);
  };
  const workers = Array.from(
    { length: Math.min(threads, seeds.count) },
    () => new Worker(new URL("./seed-worker.ts", import.meta.url), { workerData: options }),
  );
  try {
    for (const worker of workers) give(worker);
    while (running.size > 0) {
      const [worker, run] = await Promise.race(running.values());
      give(worker);
      yield run;
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
