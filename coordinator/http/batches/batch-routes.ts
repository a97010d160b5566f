/** The endpoints of batches of tasks. */
import type { App } from "../endpoint/fastify-app.ts";
import { type CreateBatchDeps, createBatch } from "./create-batch.ts";
import { getBatch } from "./get-batch.ts";

export function batchRoutes(app: App, deps: CreateBatchDeps): void {
  createBatch(app, deps);
  getBatch(app, deps);
}
