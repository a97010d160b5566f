/** Scrapes one address over many connections, each again at once, until it is stopped. Started by scrape-flood.ts. */
import { parentPort, workerData } from "node:worker_threads";
import type { FloodOrder, FloodResult } from "./scrape-flood.ts";

const { url, connections } = workerData as FloodOrder;
const result: FloodResult = { served: 0, failed: 0 };
let isStopped = false;

async function scrapeInTurns(): Promise<void> {
  while (!isStopped) {
    const text = await fetch(url).then(
      (response) => (response.ok ? response.text() : null),
      () => null,
    );
    if (text === null) result.failed += 1;
    else result.served += 1;
  }
}

const scraping = Promise.all(Array.from({ length: connections }, scrapeInTurns));
parentPort?.once("message", async () => {
  isStopped = true;
  await scraping;
  parentPort?.postMessage(result);
});
