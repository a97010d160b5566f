/** Adds jobs and waits until their worker reports that they ended. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { makeWorkerUtils } from "graphile-worker";
import { Pool } from "pg";
import { serveOrders } from "../../measure/serve-orders.ts";
import { readSettings } from "../../measure/settings.ts";
import { type TaskReport, Waiting } from "../task-report.ts";
import { CONNECTIONS, type GraphileSettings } from "./settings.ts";

const settings = readSettings<GraphileSettings>();
const pgPool = new Pool({ connectionString: settings.connectionString, max: CONNECTIONS });
pgPool.on("error", (error) => console.error(error));
pgPool.on("connect", (client) => client.on("error", (error) => console.error(error)));
const utils = await makeWorkerUtils({ pgPool });
await utils.migrate();

const waiting = new Waiting();
const worker = fork(join(import.meta.dirname, "worker.ts"), [JSON.stringify(settings)], { serialization: "advanced" });
await new Promise((resolve) => worker.once("message", resolve));
worker.on("message", (batch: readonly TaskReport[]) => {
  for (const report of batch) waiting.settle(report);
});

serveOrders({
  task: async () => {
    const { task, reported } = waiting.add();
    await utils.addJob(settings.task, { task, input: settings.input });
    return { startedUs: (await reported).startedUs, tasks: 1 };
  },
});
