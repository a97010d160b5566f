/** The endpoints of nodes. */
import type { DemandDeps } from "../../progress/demand-board.ts";
import type { NodeDetailsSource } from "../../public/node-details.ts";
import type { CallerDeps } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { getDemand } from "../fleet/get-demand.ts";
import { type CoordinatorDeps, getFleet } from "../fleet/get-fleet.ts";
import { resumeRequeue } from "../fleet/resume-requeue.ts";
import { listGpuTypes } from "../gpu-types/list-gpu-types.ts";
import { drainNode } from "./drain-node.ts";
import { evictNode } from "./evict-node.ts";
import { getNode } from "./get-node.ts";
import { listNodes } from "./list-nodes.ts";
import { resumeNode } from "./resume-node.ts";

export function nodeRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & NodeDetailsSource & CoordinatorDeps & DemandDeps,
): void {
  listNodes(app, deps);
  getNode(app, deps);
  drainNode(app, deps);
  resumeNode(app, deps);
  evictNode(app, deps);
  listGpuTypes(app, deps);
  getFleet(app, deps);
  getDemand(app, deps);
  resumeRequeue(app, deps);
}
