/** A flood of scrapes from a thread, so that it costs the test's own event loop only what is served there. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface FloodOrder {
  readonly url: string;
  /** Each scrapes again as soon as it has a response. */
  readonly connections: number;
}

export interface FloodResult {
  served: number;
  failed: number;
}

export interface ScrapeFlood extends AsyncDisposable {
  /** Ends it once each connection has its last response. */
  stop(): Promise<Readonly<FloodResult>>;
}

/** `address` is that of a metrics listener. */
export function startScrapeFlood(address: string, connections: number): ScrapeFlood {
  const workerData: FloodOrder = { url: `http://${address}/metrics`, connections };
  const worker = new Worker(new URL("./scrape-thread.ts", import.meta.url), { workerData, execArgv: [] });
  return {
    stop: async () => {
      const responded = once(worker, "message");
      worker.postMessage("stop");
      return (await responded)[0] as FloodResult;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
