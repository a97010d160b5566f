/** Does the jobs: nothing but reporting when each began. Tuned as graphile-worker's own guide advises for throughput. */
import { EventEmitter } from "node:events";
import { Logger, run } from "graphile-worker";
import { nowUs } from "../../measure/now-us.ts";
import { readSettings } from "../../measure/settings.ts";
import { reportToParent } from "../task-report.ts";
import { CONNECTIONS, type GraphileSettings } from "./settings.ts";

const settings = readSettings<GraphileSettings>();
const report = reportToParent();
const startedUs = new Map<number, number>();
const taskOf = (payload: unknown): number => (payload as { task: number }).task;

const events = new EventEmitter();
// Emitted when the handler has ended; the database has it a moment later, which is not reported.
events.on("job:complete", ({ job }) => {
  const task = taskOf(job.payload);
  report({ task, startedUs: startedUs.get(task) ?? Number.NaN });
  startedUs.delete(task);
});

await run({
  taskList: {
    [settings.task]: async (payload) => {
      startedUs.set(taskOf(payload), nowUs());
    },
  },
  events,
  logger: new Logger(() => () => {}),
  preset: {
    worker: {
      connectionString: settings.connectionString,
      concurrentJobs: settings.concurrency,
      maxPoolSize: CONNECTIONS,
      pollInterval: 2000,
      localQueue: { size: 4 * settings.concurrency },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  },
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
