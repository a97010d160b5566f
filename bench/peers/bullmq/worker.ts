/** Does the jobs: nothing but saying when each began. */
import { Worker } from "bullmq";
import { nowUs } from "../../measure/now-us.ts";
import { readSettings } from "../../measure/settings.ts";
import { type Told, tellParent } from "../task-report.ts";
import type { BullmqSettings } from "./settings.ts";

const settings = readSettings<BullmqSettings>();
const worker = new Worker(settings.queue, async (job): Promise<Told> => ({ task: job.data.task, startedUs: nowUs() }), {
  connection: { host: "127.0.0.1", port: settings.port },
  concurrency: settings.concurrency,
});
worker.on("error", (error) => console.error(error));
if (settings.toldBy === "worker") {
  const tell = tellParent();
  // Emitted once Redis has the end of the job.
  worker.on("completed", (_job, told: Told) => tell(told));
}
process.on("disconnect", () => process.exit());
await worker.waitUntilReady();
process.send?.("ready");
