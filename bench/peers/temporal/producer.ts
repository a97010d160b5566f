/** Starts workflows and waits for their results. */
import { randomUUID } from "node:crypto";
import { Client, Connection } from "@temporalio/client";
import { serveOrders } from "../../measure/serve-orders.ts";
import { readSettings } from "../../measure/settings.ts";
import type { TemporalSettings } from "./settings.ts";
import type { task } from "./workflows.ts";

const { address, namespace, taskQueue, input } = readSettings<TemporalSettings>();
const client = new Client({ connection: await Connection.connect({ address }), namespace });

serveOrders({
  task: async () => {
    const result = await client.workflow.execute<typeof task>("task", {
      taskQueue,
      workflowId: randomUUID(),
      args: [input],
      // Rather a failed measurement than one that never ends.
      workflowExecutionTimeout: "2 minutes",
    });
    return { startedUs: Number(result), tasks: 1 };
  },
});
