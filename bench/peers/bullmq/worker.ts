/** Does the jobs: nothing but reporting when each began. */
import { Worker } from "bullmq";
import { nowUs } from "../../measure/now-us.ts";
import { readSettings } from "../../measure/settings.ts";
import { reportToParent, type TaskReport } from "../task-report.ts";
import type { BullmqSettings } from "./settings.ts";

const settings = readSettings<BullmqSettings>();
const worker = new Worker(
  settings.queue,
  async (job): Promise<TaskReport> => ({ task: job.data.task, startedUs: nowUs() }),
  {
    connection: { host: "127.0.0.1", port: settings.port },
    concurrency: settings.concurrency,
  },
);
worker.on("error", (error) => console.error(error));
if (settings.reportedBy === "worker") {
  const report = reportToParent();
  // Emitted once Redis has the end of the job.
  worker.on("completed", (_job, ended: TaskReport) => report(ended));
}
process.on("disconnect", () => process.exit());
await worker.waitUntilReady();
process.send?.("ready");
