/** The endpoints of deployments. */
import type { CallerDeps } from "../access/caller.ts";
import type { ImageDeps } from "../deps/image-deps.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { StartDeps } from "../deps/start-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { StreamDeps } from "../sse/event-streams.ts";
import { createDeployment } from "./create-deployment.ts";
import { deploymentEvents } from "./deployment-events.ts";
import { getDeployment } from "./get-deployment.ts";
import { type BuiltinDeps, listBuiltinProvers } from "./list-builtin-provers.ts";
import { listDeployments } from "./list-deployments.ts";
import { rollBack } from "./roll-back.ts";

export function deploymentRoutes(
  app: App,
  deps: CallerDeps & RecordDeps & StreamDeps & BuiltinDeps & ImageDeps & SecretDeps & StartDeps,
): void {
  createDeployment(app, deps);
  listDeployments(app, deps);
  getDeployment(app, deps);
  deploymentEvents(app, deps);
  rollBack(app, deps);
  listBuiltinProvers(app, deps);
}
