/** Does the workflows and their activities. */
import { join } from "node:path";
import { DefaultLogger, NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { readSettings } from "../../measure/settings.ts";
import { prove } from "./activities.ts";
import { makeNamespace } from "./namespace.ts";
import type { TemporalSettings } from "./settings.ts";

const { address, namespace, taskQueue, concurrency, pollers, cachedWorkflows } = readSettings<TemporalSettings>();
Runtime.install({ logger: new DefaultLogger("WARN") });
await makeNamespace(address, namespace);
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace,
  taskQueue,
  workflowsPath: join(import.meta.dirname, "workflows.ts"),
  activities: { prove },
  maxConcurrentActivityTaskExecutions: concurrency,
  maxConcurrentWorkflowTaskExecutions: concurrency,
  maxConcurrentActivityTaskPolls: pollers,
  maxConcurrentWorkflowTaskPolls: pollers,
  maxCachedWorkflows: cachedWorkflows,
});
process.on("disconnect", () => process.exit());
const running = worker.run();
process.send?.({});
await running;
