/** Adds jobs and waits for their ends. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { Queue, QueueEvents } from "bullmq";
import { serveOrders } from "../../measure/serve-orders.ts";
import { readSettings } from "../../measure/settings.ts";
import { type TaskReport, Waiting } from "../task-report.ts";
import type { BullmqSettings } from "./settings.ts";

const settings = readSettings<BullmqSettings>();
const connection = { host: "127.0.0.1", port: settings.port };
const waiting = new Waiting();

const worker = fork(join(import.meta.dirname, "worker.ts"), [JSON.stringify(settings)], { serialization: "advanced" });
await new Promise((resolve) => worker.once("message", resolve));
worker.on("message", (batch: readonly TaskReport[]) => {
  for (const report of batch) waiting.settle(report);
});

const queue = new Queue(settings.queue, { connection });
await queue.waitUntilReady();
if (settings.reportedBy === "events") {
  const events = new QueueEvents(settings.queue, { connection });
  await events.waitUntilReady();
  events.on("completed", ({ returnvalue }) => waiting.settle(returnvalue as unknown as TaskReport));
}

serveOrders({
  task: async () => {
    const { task, reported } = waiting.add();
    await queue.add("noop", { task, input: settings.input }, { removeOnComplete: true });
    return { startedUs: (await reported).startedUs, tasks: 1 };
  },
});
